/**
 * The weekly assessment. What a player owes is taken from what they prepaid, then from the wallet;
 * the rest becomes a bounty on them. What a faction owes is taken from what it prepaid, then from
 * its treasury; the rest is a debt, which the next assessment adds. Source: market.md section 9.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES } from '../../core/catalog/index.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { Account, balanceOf, canReceive, namedAccount, post } from '../../core/ledger.ts'
import { MAX_SAFE, mulDivCeil } from '../../core/math.ts'
import { observe } from '../../core/occurrence.ts'
import type { CheckDef } from '../../core/registry.ts'
import { counted, say } from '../../core/say.ts'
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
import { debtOf, dueRows, poolOf, saturatingAdd, taxedIncome } from './model.ts'
import { assess, assessFaction } from './rules.ts'
import { taxAssessed } from './schemas.ts'
import { CorporateLedger, INCOME_WIDTH, STATEMENTS, type Statement, TaxLedger } from './state.ts'

/** Checks the pool of prepaid taxes. Source: market.md section 11, prepaid pools. */
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
    const { prepaid: factionPrepaid } = view.read(CorporateLedger)
    for (let faction = 1; faction <= view.highOf(Faction); faction++) {
      if (factions.alive[faction] === 1) sum += factionPrepaid[faction]
    }
    const pool = poolOf(view)
    const held = pool === 0 ? 0 : balanceOf(view, pool)
    assert(sum === held, `the tax pool holds ${held} credits of ${sum}`)
  },
}

/** Returns the account that receives a tax: the sink if the treasury can hold no more. */
function taxReceiver(world: World, empire: number, credits: number): Row {
  const treasury = empireTreasury(world, empire)
  return canReceive(world, treasury, credits) ? treasury : namedAccount('fee_sink')
}

/* Players */

/** Pays as much of a tax as the player has prepaid; returns how much that is. */
function payFromPool(world: World, player: Eid, empire: number, due: number): number {
  const { prepaid } = world.write(TaxLedger)
  const credits = Math.min(prepaid[player], due)
  if (credits === 0) return 0
  prepaid[player] -= credits
  post(world, poolOf(world), taxReceiver(world, empire, credits), credits)
  const { id, name } = EMPIRES[empire]
  const message = `${counted(credits, 'credit')} of prepaid tax went to ${name}.`
  logAction(world, player, 'other', 'tax.paid', message, { empire_id: id, credits })
  return credits
}

/** Pays as much of a tax as the wallet holds; returns how much that is. */
function payFromWallet(world: World, player: Eid, empire: number, due: number): number {
  const wallet = walletOf(world, player)
  const credits = Math.min(balanceOf(world, wallet), due)
  if (credits === 0) return 0
  const payee = taxReceiver(world, empire, credits)
  const { id, name } = EMPIRES[empire]
  const message = `Paid ${counted(credits, 'credit')} of tax to ${name}.`
  creditMove(world, player, wallet, payee, credits, 'other', 'tax.paid', message, { empire_id: id })
  return credits
}

/** Returns the bounty for unpaid tax; the policy has its rate per credit in ten-thousandths. */
const bountyFor = (empire: number, unpaid: number): number =>
  Math.min(
    MAX_SAFE,
    mulDivCeil(unpaid, EMPIRES[empire].policy.tax_delinquency_bounty_per_credit, 10_000),
  )

/** Puts a bounty on a player for unpaid tax; returns its credits. */
function addTaxBounty(world: World, player: Eid, empire: number, unpaid: number): number {
  if (unpaid === 0) return 0
  const credits = bountyFor(empire, unpaid)
  const why = `A tax of ${counted(unpaid, 'credit')} is owed to ${EMPIRES[empire].name}.`
  addDebt(world, player, empire, { credits, why })
  return credits
}

/** Refunds what is left of a prepayment if the wallet can hold it; returns the credits. */
function refund(world: World, player: Eid): number {
  const { prepaid } = world.write(TaxLedger)
  const credits = prepaid[player]
  const wallet = walletOf(world, player)
  if (credits === 0 || !canReceive(world, wallet, credits)) return 0
  prepaid[player] = 0
  const message = `${counted(credits, 'credit')} of prepaid tax came back.`
  creditMove(world, player, poolOf(world), wallet, credits, 'other', 'tax.refunded', message)
  return credits
}

/** Starts a new week in the ledger of a player. */
function startWeek(world: World, player: Eid, lossCarry: number): void {
  const ledger = world.write(TaxLedger)
  for (let i = player * INCOME_WIDTH; i < (player + 1) * INCOME_WIDTH; i++) {
    ledger.earnedBefore[i] = ledger.earned[i]
  }
  ledger.boughtBefore[player] = statOf(world, player, 'market_purchases_deductible')
  ledger.lossCarry[player] = lossCarry
  ledger.assessedTick[player] = world.tick
  ledger.assessedMs[player] = world.wallMs
}

/** Saves the statement of an assessment; removes the last one if there was nothing to assess. */
function saveStatement(
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

/** Assesses a player now: collects the tax, puts a bounty on the rest, and notifies them. */
export function collectTax(world: World, player: Eid): void {
  const { due, empires, profit } = assess(world, player)
  const payments: Statement['empires'][number][] = []
  let owed = 0
  let paid = 0
  let bounty = 0
  const byEmpire: Record<string, number> = {}
  for (const [i, empire] of empires.entries()) {
    if (due[i] === 0) continue
    owed += due[i]
    byEmpire[EMPIRES[empire].id] = due[i]
    const fromPool = payFromPool(world, player, empire, due[i])
    const fromWallet = payFromWallet(world, player, empire, due[i] - fromPool)
    paid += fromPool + fromWallet
    payments.push({ empire, owed: due[i], paid: fromPool + fromWallet })
    bounty += addTaxBounty(world, player, empire, due[i] - fromPool - fromWallet)
  }
  const refunded = refund(world, player)
  saveStatement(world, player, taxedIncome(world, player, profit.taxable), payments)
  startWeek(world, player, profit.lossCarry)
  if (owed === 0 && refunded === 0) return
  const message = `Tax of the week: ${counted(owed, 'credit')}, ${paid} of them paid.`
  const rest =
    bounty === 0
      ? ''
      : say` The rest became a bounty of ${bounty}: {get_tax_estimate} says to whom, {pay_bounty} clears it; whoever docks there without the credits is detained.`
  const statement = say`${message}${rest} {get_tax_estimate} lists what was taxed.`
  const details = { owed, paid, bounty, by_empire: byEmpire, message: statement }
  emit(world, taxAssessed, details, toPlayer(player))
  logAction(world, player, 'other', 'tax.assessed', message, { owed, paid, bounty, refunded })
}

/** Assesses players in turn through the last day of the week, so that no tick has many. */
export const collect: SystemDef = {
  name: 'tax.collect',
  phase: 'settle',
  writes: [Account, CriminalRecord, TaxLedger],
  run(world) {
    const { alive } = world.read(Player)
    for (const player of dueRows(world.tick, world.highOf(Player))) {
      if (alive[player] === 1) collectTax(world, player)
    }
  },
}

/* Factions */

/** Pays an empire as far as prepayment and treasury reach; returns what was paid. */
function payEmpire(world: World, faction: Row, empire: number, due: number): number {
  const { prepaid } = world.write(CorporateLedger)
  const treasury = treasuryOf(world, faction)
  const fromPool = Math.min(prepaid[faction], due)
  prepaid[faction] -= fromPool
  if (fromPool > 0) post(world, poolOf(world), taxReceiver(world, empire, fromPool), fromPool)
  const fromTreasury = Math.min(balanceOf(world, treasury), due - fromPool)
  post(world, treasury, taxReceiver(world, empire, fromTreasury), fromTreasury)
  return fromPool + fromTreasury
}

/** Refunds what is left of a prepayment if the treasury can hold it; returns the credits. */
function refundFaction(world: World, faction: Row): number {
  const { prepaid } = world.write(CorporateLedger)
  const credits = prepaid[faction]
  const treasury = treasuryOf(world, faction)
  if (credits === 0 || !canReceive(world, treasury, credits)) return 0
  prepaid[faction] = 0
  post(world, poolOf(world), treasury, credits)
  return credits
}

/** Collects what a faction owes each empire: this week's tax, by EMPIRES, and earlier debts. */
function collectFromFaction(world: World, faction: Row, due: readonly number[]) {
  const { debt } = world.write(CorporateLedger)
  let owed = 0
  let paid = 0
  for (const [empire, credits] of due.entries()) {
    const total = saturatingAdd(credits, debtOf(world, faction, empire))
    if (total === 0) continue
    const collected = payEmpire(world, faction, empire, total)
    debt[faction * EMPIRES_WIDTH + empire] = total - collected
    owed += total
    paid += collected
  }
  return { owed, paid }
}

/** Assesses a faction now: collects the tax and logs it. */
export function collectCorporateTax(world: World, faction: Row): void {
  const { profit, taxes } = assessFaction(world, faction)
  const due = EMPIRES.map(({ id }) =>
    taxes.reduce((sum, tax) => (tax.empire === id ? sum + tax.owed : sum), 0),
  )
  const { owed, paid } = collectFromFaction(world, faction, due)
  const refunded = refundFaction(world, faction)
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

/** Pays a disbanded faction's tax debts as far as possible, and refunds what it prepaid beyond. */
export function settleTaxes(world: World, faction: Row): void {
  collectFromFaction(
    world,
    faction,
    EMPIRES.map(() => 0),
  )
  refundFaction(world, faction)
}

/** Assesses factions in turn, like players. */
export const collectCorporate: SystemDef = {
  name: 'tax.collect_corporate',
  phase: 'settle',
  writes: [Account, CorporateLedger],
  run(world) {
    const { alive } = world.read(Faction)
    for (const faction of dueRows(world.tick, world.highOf(Faction))) {
      if (alive[faction] === 1) collectCorporateTax(world, faction)
    }
  },
}

/** Settles the taxes of a faction that is disbanded. Source: factions.md section 3. */
export const settleLastTaxes = observe(disbanded, (world, { faction }) =>
  settleTaxes(world, faction),
)
