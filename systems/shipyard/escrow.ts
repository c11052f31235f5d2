/** The account of a base that holds what commissions and buy orders there have paid in. */
import { assert } from '../../core/assert.ts'
import { balanceOf, canReceive, openAccount, post } from '../../core/ledger.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { walletOf } from '../account/rules.ts'
import { Base } from '../base/columns.ts'
import { baseTreasury, empireOfBase, empireTreasury } from '../base/rules.ts'
import { creditMove, type LogData } from '../log/rules.ts'
import { Yard } from './columns.ts'

/** The escrow of a base; 0 before its first business. */
export const escrowOf = (view: WorldView, base: Eid): Row => view.read(Yard).escrow[base]

export function openEscrow(world: World, base: Eid): Row {
  const yard = world.write(Yard)
  if (yard.escrow[base] === 0) yard.escrow[base] = openAccount(world)
  return yard.escrow[base]
}

/** Sales tax, out of the escrow, to the empire of the base. */
export function payTax(world: World, base: Eid, credits: number): void {
  if (credits === 0) return
  const empire = empireOfBase(world, base)
  assert(empire >= 0, 'sales tax in lawless space')
  post(world, escrowOf(world, base), empireTreasury(world, empire), credits)
}

/** What the station has earned, out of the escrow. */
export const payStation = (world: World, base: Eid, credits: number): void =>
  post(world, openEscrow(world, base), baseTreasury(world, base), credits)

/**
 * Gives credits of the escrow back to who paid them in; to the station what a wallet cannot take.
 */
export function giveBack(
  world: World,
  to: { readonly player: Eid; readonly base: Eid },
  credits: number,
  said: string,
  data: LogData,
): void {
  const escrow = openEscrow(world, to.base)
  const wallet = to.player === 0 ? 0 : walletOf(world, to.player)
  if (wallet === 0 || !canReceive(world, wallet, credits)) {
    post(world, escrow, world.read(Base).manager[to.base], credits)
    return
  }
  creditMove(world, to.player, escrow, wallet, credits, 'ship', 'escrow_returned', said, data)
}

/** What the escrow of a base holds, credits. */
export function escrowed(view: WorldView, base: Eid): number {
  const account = escrowOf(view, base)
  return account === 0 ? 0 : balanceOf(view, account)
}
