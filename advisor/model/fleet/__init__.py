"""What is said of many servers at once? `report` each server in short, and the counts by cluster and by rule."""
