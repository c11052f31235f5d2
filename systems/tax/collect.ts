/**
 * The weekly assessment: what a player owes is taken from what was paid ahead, then from the
 * wallet; what is still short is put on his head. Source: market.md section 9.
 */
import { EMPIRES } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { Account, balanceOf, canReceive, namedAccount, post } from '../../core/ledger.ts'
import { MAX_SAFE, mulDivCeil } from '../../core/math.ts'
import { counted } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { Player, PlayerStats } from '../account/columns.ts'
import { statOf, walletOf } from '../account/rules.ts'
import { empireTreasury } from '../base/rules.ts'
import { CriminalRecord } from '../law/columns.ts'
import { oweEmpire } from '../law/rules.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { Ship } from '../ship/columns.ts'
import { STATEMENTS, type Statement, TaxLedger, TaxOffice } from './columns.ts'
import { taxAssessed } from './events.ts'
import { assess, dueRows, poolOf, taxedIncome } from './rules.ts'

/** Where a tax goes: a treasury that can hold no more burns it. */
export function taxReceiver(world: World, empire: number, credits: number): Row {
  const treasury = empireTreasury(world, empire)
  return canReceive(world, treasury, credits) ? treasury : namedAccount('fee_sink')
}

/** Takes from what was paid ahead; returns how much. */
function payFromPool(world: World, player: Eid, empire: number, due: number): number {
  const { prepaid } = world.write(TaxLedger)
  const credits = Math.min(prepaid[player], due)
  if (credits === 0) return 0
  prepaid[player] -= credits
  post(world, poolOf(world), taxReceiver(world, empire, credits), credits)
  const said = `${counted(credits, 'credit')} paid ahead went to ${EMPIRES[empire].name} as tax.`
  logAction(world, player, 'other', 'tax.paid', said, { empire_id: EMPIRES[empire].id, credits })
  return credits
}

function payFromWallet(world: World, player: Eid, empire: number, due: number): number {
  const wallet = walletOf(world, player)
  const credits = Math.min(balanceOf(world, wallet), due)
  if (credits === 0) return 0
  const to = taxReceiver(world, empire, credits)
  const said = `Paid ${counted(credits, 'credit')} of tax to ${EMPIRES[empire].name}.`
  const data = { empire_id: EMPIRES[empire].id }
  creditMove(world, player, wallet, to, credits, 'other', 'tax.paid', said, data)
  return credits
}

/** Bounty for credits of tax that were not there, per credit in ten-thousandths. */
const bountyFor = (empire: number, short: number): number =>
  Math.min(
    MAX_SAFE,
    mulDivCeil(short, EMPIRES[empire].policy.tax_delinquency_bounty_per_credit, 10_000),
  )

function chase(world: World, player: Eid, empire: number, short: number): number {
  if (short === 0) return 0
  const credits = bountyFor(empire, short)
  const why = `A tax of ${counted(short, 'credit')} is owed to ${EMPIRES[empire].name}.`
  oweEmpire(world, player, empire, { credits, why })
  return credits
}

/** Gives back what was paid ahead and not needed; what the wallet cannot take stays. */
function refund(world: World, player: Eid): number {
  const { prepaid } = world.write(TaxLedger)
  const credits = prepaid[player]
  const wallet = walletOf(world, player)
  if (credits === 0 || !canReceive(world, wallet, credits)) return 0
  prepaid[player] = 0
  const said = `${counted(credits, 'credit')} of tax paid ahead came back.`
  creditMove(world, player, poolOf(world), wallet, credits, 'other', 'tax.refunded', said)
  return credits
}

/** Closes the week of a player's books. */
function closeBooks(world: World, player: Eid, lossCarry: number): void {
  const ledger = world.write(TaxLedger)
  const width = ledger.earned.length / ledger.prepaid.length
  for (let i = player * width; i < (player + 1) * width; i++) {
    ledger.earnedBefore[i] = ledger.earned[i]
  }
  ledger.boughtBefore[player] = statOf(world, player, 'market_purchases_deductible')
  ledger.lossCarry[player] = lossCarry
  ledger.assessedTick[player] = world.tick
  ledger.assessedMs[player] = world.wallMs
}

/** Keeps what an assessment came to, where there was anything to assess. */
function keepStatement(
  world: World,
  player: Eid,
  income: Statement['income'],
  empires: Statement['empires'],
): void {
  const { seq, createdMs } = world.read(Player)
  const key = String(seq[player])
  if (empires.length === 0 && income.every((credits) => credits === 0)) {
    world.records(STATEMENTS).delete(key)
    return
  }
  const startedMs = world.read(TaxLedger).assessedMs[player] || createdMs[player]
  const times = { startedMs, assessedMs: world.wallMs }
  world.records(STATEMENTS).set(key, { ...times, income, empires })
}

/** Assesses a player now: collects, chases what is short, tells him. */
export function collectFrom(world: World, player: Eid): void {
  const { due, empires, profit } = assess(world, player)
  const stated: Statement['empires'][number][] = []
  let owed = 0
  let paid = 0
  let bounty = 0
  const byEmpire: Record<string, number> = {}
  for (const [i, empire] of empires.entries()) {
    if (due[i] === 0) continue
    owed += due[i]
    byEmpire[EMPIRES[empire].id] = due[i]
    const ahead = payFromPool(world, player, empire, due[i])
    const now = payFromWallet(world, player, empire, due[i] - ahead)
    paid += ahead + now
    stated.push({ empire, owed: due[i], paid: ahead + now })
    bounty += chase(world, player, empire, due[i] - ahead - now)
  }
  const back = refund(world, player)
  keepStatement(world, player, taxedIncome(world, player, profit.taxable), stated)
  closeBooks(world, player, profit.lossCarry)
  if (owed === 0 && back === 0) return
  emit(world, taxAssessed, { owed, paid, bounty, by_empire: byEmpire }, toPlayer(player))
  const said = `Tax of the week: ${counted(owed, 'credit')}, ${paid} of them paid.`
  logAction(world, player, 'other', 'tax.assessed', said, { owed, paid, bounty, refunded: back })
}

/** Players take turns through the first day of the week, so that no tick has many. */
export const collect: SystemDef = {
  name: 'tax.collect',
  phase: 'settle',
  reads: [Ship],
  writes: [Account, Player, PlayerStats, TaxLedger, TaxOffice, CriminalRecord],
  run(world) {
    const { alive } = world.read(Player)
    for (const player of dueRows(world.tick, world.highOf(Player))) {
      if (alive[player] === 1) collectFrom(world, player)
    }
  },
}
