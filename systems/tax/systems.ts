/**
 * The weekly assessment: what a player owes is taken from what was paid ahead, then from the
 * wallet; what is still short is put on their head. Source: market.md section 9.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { Account, balanceOf, canReceive, namedAccount, post } from '../../core/ledger.ts'
import { MAX_SAFE, mulDivCeil } from '../../core/math.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import { counted } from '../../core/say.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { statOf, walletOf } from '../account/model.ts'
import { EMPIRES_WIDTH, Player } from '../account/state.ts'
import { empireTreasury } from '../base/model.ts'
import { recordFactionLog, treasuryOf } from '../faction/model.ts'
import { disbanded, Faction } from '../faction/state.ts'
import { addDebt } from '../law/rules.ts'
import { CriminalRecord } from '../law/state.ts'
import { creditMove, logAction } from '../log/rules.ts'
import { debtOf, dueRows, plus, poolOf, taxedIncome } from './model.ts'
import { assess, assessFaction } from './rules.ts'
import { taxAssessed } from './schemas.ts'
import { CorporateLedger, STATEMENTS, type Statement, TaxLedger } from './state.ts'

/* Invariants of taxes. Source: market.md section 11, prepaid pools. */

export const poolHolds: CheckDef = {
  name: 'taxes paid ahead: the pool holds the sum of all shares',
  run(view, full) {
    if (!full) return
    const { alive } = view.read(Player)
    const { prepaid } = view.read(TaxLedger)
    let sum = 0
    for (let player = 1; player <= view.highOf(Player); player++) {
      if (alive[player] === 1) sum += prepaid[player]
    }
    const factions = view.read(Faction)
    const { prepaid: ahead } = view.read(CorporateLedger)
    for (let faction = 1; faction <= view.highOf(Faction); faction++) {
      if (factions.alive[faction] === 1) sum += ahead[faction]
    }
    const pool = poolOf(view)
    const held = pool === 0 ? 0 : balanceOf(view, pool)
    assert(sum === held, `the tax pool holds ${held} credits of ${sum}`)
  },
}

/** Where a tax goes: a treasury that can hold no more burns it. */
function taxReceiver(world: World, empire: number, credits: number): Row {
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
  addDebt(world, player, empire, { credits, why })
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

/** Assesses a player now: collects, chases what is short, tells them. */
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
  writes: [Account, CriminalRecord, TaxLedger],
  run(world) {
    const { alive } = world.read(Player)
    for (const player of dueRows(world.tick, world.highOf(Player))) {
      if (alive[player] === 1) collectFrom(world, player)
    }
  },
}

/*
 * The weekly tax of factions: from what was paid ahead, then from the treasury; what is short is
 * owed and added the next time. Source: market.md section 9.
 */

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
  recordFactionLog(world, faction, leader[faction], { verb: 'tax_assessed', summary, data })
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
  writes: [Account, CorporateLedger],
  run(world) {
    const { alive } = world.read(Faction)
    for (const faction of dueRows(world.tick, world.highOf(Faction))) {
      if (alive[faction] === 1) collectFromFaction(world, faction)
    }
  },
}

/* What becomes of taxes when a faction ends. Source: factions.md section 3. */

export const settleLastTaxes = observe(disbanded, (world, { faction }) =>
  settleTaxes(world, faction),
)
