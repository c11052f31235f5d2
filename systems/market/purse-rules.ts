/**
 * Buying on account: how another domain has an exchange buy for it, out of an account and into a
 * container of its own, in a section of its own. Source: market.md sections 4, 10.
 */
export { bookOf } from './book.ts'
export { sellable } from './delivery.ts'
export { enter, enterCommand, mayEnter } from './entry.ts'
export { playerCode } from './figures.ts'
export type { Done } from './settle-request.ts'
export { TRADE } from './trading.ts'
