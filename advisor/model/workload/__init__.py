"""What a binary log says of the load: `transaction` one transaction of it."""
