"""What do turns show? Turns and pairs (`switchback`), their noise (`autocorrelation`), the answer (`verdict`)."""
