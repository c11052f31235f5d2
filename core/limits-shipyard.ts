/** Bounds of shipyards and of the ship exchange. Source: ships.md sections 7, 8. */
/** Open commissions of one player, and of one yard. */
export const COMMISSIONS_PER_PLAYER_MAX = 10
export const COMMISSIONS_PER_YARD_MAX = 200
/** Trades by which a yard buys materials for one commission in a cycle. */
export const SOURCING_FILLS_MAX = 50
/** Open buy orders for ships: of one player, and at one base. */
export const SHIP_ORDERS_PER_PLAYER_MAX = 50
export const SHIP_ORDERS_PER_BASE_MAX = 200
/** Hulls of its own that a station has for sale or builds: orders that were withdrawn add some. */
export const SHOWROOM_HULLS_MAX = 20
/** Rows of each list of browse_ships. */
export const SHIPS_LISTED_MAX = 200
