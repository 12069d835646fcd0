"""How are values, amounts, releases and labels written, and how do lines get into a terminal?"""
