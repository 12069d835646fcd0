"""What does a binary log say of a load? `shape/` rates, sizes, tables, the largest transactions."""
