"""Many tasks are done by several processes, and come back in their order."""

from __future__ import annotations

import os

from advisor.fleet.processes import in_processes, usable_cpus


def test_results_are_in_the_order_of_the_tasks_whatever_the_number_of_processes():
    offset = 7  # of this process: the function goes to the others as it is

    def work(task):
        return task + offset, os.getpid()

    alone = list(in_processes(work, range(100), 1))
    shared = list(in_processes(work, range(100), 2))
    assert [number for number, _ in alone] == [number for number, _ in shared] == list(range(7, 107))
    assert {pid for _, pid in alone} == {os.getpid()}
    assert os.getpid() not in {pid for _, pid in shared}


def test_a_machine_has_a_cpu():
    assert usable_cpus() >= 1
