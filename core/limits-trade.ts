/** Bounds of what passes between players: trades, gifts, packages. */

/* Player trades (trade-storage.md 2) */
/** Trade offers pending, those remembered as lapsed, pairs of which one declined of late. */
export const TRADES_MAX = 200_000
export const LAPSED_TRADES_MAX = 50_000
export const DECLINES_MAX = 100_000
export const TRADES_PER_PAIR_MAX = 3
export const TRADES_OUT_MAX = 10
export const TRADES_IN_MAX = 20
/** Lines a side. */
export const TRADE_LINES_MAX = 50
/** Ticks in which an offer is answered, or lapses; and for which it is known as lapsed then. */
export const TRADE_TICKS = 30
export const LAPSED_TICKS = 360
/** Declines of one player's offers by another within so many ticks, after which he waits. */
export const TRADE_DECLINES_MAX = 3
export const TRADE_DECLINE_TICKS = 60

/* Gifts (trade-storage.md 3) */
/** Notices of gifts nobody has looked at, and those of one player at one base. */
export const GIFTS_MAX = 200_000
export const GIFTS_PER_BOX_MAX = 100
/** Kinds of goods, and ships, that one notice names. */
export const GIFT_LINES_MAX = 50
export const GIFT_MESSAGE_CHARACTERS_MAX = 500
/** Ships a player may have and still be given one. */
export const SHIPS_BEFORE_GIFT_MAX = 49

/* Packages (trade-storage.md 1, 5) */
/** Space of what is in a package, and of the package in a hold. */
export const PACKAGE_SIZE = 100
export const PACKAGE_LABEL_CHARACTERS_MAX = 255
/** Packages of one owner at one base, by the level of its storage service. */
export const PACKAGES_BY_LEVEL = [1_000, 2_000, 3_000, 5_000] as const
