"""Terminal output: tables, cards, trees and live progress."""
