/** What is known for arriving somewhere, and forgotten when a faction ends. */
import { observe } from '../../core/occurrence.ts'
import { disbanded } from '../faction/state.ts'
import { arrived, docked } from '../travel/state.ts'
import { collectPrices, collectSystem, dropNotes, dropPrices } from './rules.ts'

export const seeSystem = observe(arrived, (world, { player, poi }) =>
  collectSystem(world, player, poi),
)
export const seePrices = observe(docked, (world, { player, base }) =>
  collectPrices(world, player, base),
)

export const forgetIntel = observe(disbanded, (world, { faction }) => {
  dropNotes(world, faction)
  dropPrices(world, faction)
})
