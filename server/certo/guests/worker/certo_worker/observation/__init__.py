"""Clock, traced lines, failure texts and the record of each test."""
