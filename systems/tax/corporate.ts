/**
 * The weekly tax of factions: from what was paid ahead, then from the treasury; what is short is
 * owed and added the next time. Source: market.md section 9.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { Account, balanceOf, canReceive, post } from '../../core/ledger.ts'
import { counted } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Row, World } from '../../core/types.ts'
import { EMPIRES_WIDTH } from '../account/columns.ts'
import { Faction } from '../faction/columns.ts'
import { noteFactionLog, treasuryOf } from '../faction/rules.ts'
import { plus } from './assess.ts'
import { taxReceiver } from './collect.ts'
import { CorporateLedger, TaxOffice } from './columns.ts'
import { assessFaction, debtOf, dueRows, poolOf } from './rules.ts'

/** Pays an empire as far as pool and treasury reach; returns what was paid. */
function pay(world: World, faction: Row, empire: number, due: number): number {
  const { prepaid } = world.write(CorporateLedger)
  const treasury = treasuryOf(world, faction)
  const ahead = Math.min(prepaid[faction], due)
  prepaid[faction] -= ahead
  if (ahead > 0) post(world, poolOf(world), taxReceiver(world, empire, ahead), ahead)
  const now = Math.min(balanceOf(world, treasury), due - ahead)
  post(world, treasury, taxReceiver(world, empire, now), now)
  return ahead + now
}

/** Gives back what was paid ahead and not needed; what the treasury cannot take stays. */
function refundCorporate(world: World, faction: Row): number {
  const { prepaid } = world.write(CorporateLedger)
  const credits = prepaid[faction]
  const treasury = treasuryOf(world, faction)
  if (credits === 0 || !canReceive(world, treasury, credits)) return 0
  prepaid[faction] = 0
  post(world, poolOf(world), treasury, credits)
  return credits
}

/** Collects what a faction owes each empire, this week's tax and debts. */
function collectDue(world: World, faction: Row, due: readonly number[]) {
  const { debt } = world.write(CorporateLedger)
  let owed = 0
  let paid = 0
  for (const [empire, credits] of due.entries()) {
    const wanted = plus(credits, debtOf(world, faction, empire))
    if (wanted === 0) continue
    const got = pay(world, faction, empire, wanted)
    debt[faction * EMPIRES_WIDTH + empire] = wanted - got
    owed += wanted
    paid += got
  }
  return { owed, paid }
}

/** Assesses a faction now. */
export function collectFromFaction(world: World, faction: Row): void {
  const { profit, taxes } = assessFaction(world, faction)
  const due = EMPIRES.map(({ id }) =>
    taxes.reduce((sum, tax) => (tax.empire === id ? sum + tax.owed : sum), 0),
  )
  const { owed, paid } = collectDue(world, faction, due)
  const refunded = refundCorporate(world, faction)
  const ledger = world.write(CorporateLedger)
  const first = faction * EMPIRES_WIDTH
  ledger.earned.fill(0, first, first + EMPIRES_WIDTH)
  ledger.spent.fill(0, first, first + EMPIRES_WIDTH)
  ledger.lossCarry[faction] = profit.lossCarry
  ledger.assessedMs[faction] = world.wallMs
  if (owed === 0 && refunded === 0) return
  const summary = `Tax of the week: ${counted(owed, 'credit')}, ${paid} of them paid.`
  const { leader } = world.read(Faction)
  const data = { owed, paid, refunded }
  noteFactionLog(world, faction, leader[faction], { verb: 'tax_assessed', summary, data })
}

/** A faction ends: its debts are paid as far as it can, and what it paid ahead comes back. */
export function settleTaxes(world: World, faction: Row): void {
  collectDue(
    world,
    faction,
    EMPIRES.map(() => 0),
  )
  refundCorporate(world, faction)
}

/** Factions take turns as players do. */
export const collectCorporate: SystemDef = {
  name: 'tax.collect_corporate',
  phase: 'settle',
  reads: [],
  writes: [Account, Faction, CorporateLedger, TaxOffice],
  run(world) {
    const { alive } = world.read(Faction)
    for (const faction of dueRows(world.tick, world.highOf(Faction))) {
      if (alive[faction] === 1) collectFromFaction(world, faction)
    }
  },
}
