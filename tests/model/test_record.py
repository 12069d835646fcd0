"""Records behave as frozen dataclasses do."""

from dataclasses import FrozenInstanceError, asdict, fields

import pytest

from advisor.model.record import field, record, replace


@record
class Point:
    """A sample."""

    x: int
    y: int = 2
    tags: list[str] = field(default_factory=list)

    @property
    def sum(self) -> int:
        return self.x + self.y


def test_arguments_come_by_place_or_name_and_defaults_fill_the_rest():
    assert Point(1) == Point(x=1, y=2, tags=[])
    assert Point(1, y=5).sum == 6
    assert Point(1).tags is not Point(1).tags


@pytest.mark.parametrize("build", [Point, lambda: Point(1, 2, [], 4), lambda: Point(1, x=1), lambda: Point(1, z=1)])
def test_wrong_arguments_are_a_type_error(build):
    with pytest.raises(TypeError):
        build()


def test_a_record_cannot_be_changed_only_replaced():
    point = Point(1)
    with pytest.raises(FrozenInstanceError):
        point.x = 2
    with pytest.raises(FrozenInstanceError):
        del point.x
    assert replace(point, x=9) == Point(9, tags=[])
    assert point.x == 1


def test_equality_is_by_class_and_fields_and_hash_agrees():
    @record
    class Other:
        x: int
        y: int

    @record
    class Twin:
        x: int
        y: int

    assert Other(1, 2) != Twin(1, 2)
    assert hash(Other(1, 2)) == hash(Other(y=2, x=1))
    assert {Other(1, 2): "a"}[Other(1, 2)] == "a"


def test_the_tools_for_dataclasses_work():
    assert [f.name for f in fields(Point)] == ["x", "y", "tags"]
    assert asdict(Point(1)) == {"x": 1, "y": 2, "tags": []}
    assert repr(Point(1)) == "Point(x=1, y=2, tags=[])"
