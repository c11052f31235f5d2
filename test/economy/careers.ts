/**
 * Plays careers side by side in one world: pilots of every cell (a career in a hull of a tier)
 * follow written policies among background settlers. Measures what each of them earns, learns and
 * loses by the hour.
 */
import { assert } from '../../core/assert.ts'
import { GOODS, goodOf } from '../../core/catalog/index.ts'
import { isMutation } from '../../core/command.ts'
import { createDice } from '../../core/dice.ts'
import { contentsOf } from '../../core/goods.ts'
import { balanceOf } from '../../core/ledger.ts'
import { HOUR_TICKS } from '../../core/time.ts'
import type { Eid, World } from '../../core/types.ts'
import { walletOf } from '../../systems/account/model.ts'
import { Player } from '../../systems/account/state.ts'
import { counterOf, OF_PLAYERS } from '../../systems/achievement/model.ts'
import { baseId } from '../../systems/base/model.ts'
import { Base } from '../../systems/base/state.ts'
import { lockerOf } from '../../systems/cargo/model.ts'
import { Job } from '../../systems/craft/state.ts'
import { activeShip } from '../../systems/ship/model.ts'
import { Ship } from '../../systems/ship/state.ts'
import { creditsPerDayMax } from '../../systems/skill/model.ts'
import { incomeOf } from '../../systems/tax/model.ts'
import { dockedBase } from '../../systems/travel/location-model.ts'
import { type DrivenWorld, empireOf, type Wish } from '../driven-world.ts'
import { openEconomy } from './bot-economy.ts'
import { type CareerName, type Cell, cellName, MEDIANS } from './careers/bands.ts'
import { type Chart, drawChart } from './careers/chart.ts'
import { courier } from './careers/couriers.ts'
import { craft } from './careers/crafting.ts'
import { type Day, dayFlowsOf, playDays, type RoundMoney } from './careers/creation.ts'
import { sendDrones } from './careers/drones.ts'
import { explore } from './careers/exploring.ts'
import { payForHull } from './careers/hulls.ts'
import { hunt } from './careers/hunting.ts'
import { mine, mineLawless } from './careers/mining.ts'
import { carry } from './careers/passengers.ts'
import type { Deed, Order, Pilot, Policy } from './careers/pilot.ts'
import { equip, experienceOf, giveShip, shipWorth } from './careers/rigs.ts'
import { salvage } from './careers/salvaging.ts'
import { trade } from './careers/trading.ts'
import { flowsBetween, moneyOf, taxesDue } from './money.ts'

const POLICIES: Readonly<Record<CareerName, Policy>> = {
  mining: mine,
  lawless: mineLawless,
  trade,
  courier,
  passenger: carry,
  craft,
  bounty: hunt,
  salvage,
  exploration: explore,
  drones: sendDrones,
}

/** Careers that keep to policed systems. */
const LAWFUL = new Set<CareerName>(['mining', 'courier', 'passenger', 'craft', 'drones'])
/** A lost ship is replaced after this many ticks; what it was worth is a loss. */
const REPLACED_TICKS = 60
/** What an unsold good counts for, percent of its worth. */
const GOODS_PCT = 80
const CHECK_EVERY = 360
/** Room for the pirate packs and wrecks of all systems, so that pirates can grow back. */
const ENTITIES_MIN = 60_000

interface CareersOptions {
  readonly seed: number
  readonly hours: number
  readonly cells: readonly Cell[]
  /** Pilots per cell. */
  readonly pilots?: number
  /** Puts all pilots into one empire, instead of each into another. */
  readonly isOneRegion?: boolean
  readonly settlers?: number
}

/** What one pilot did. */
export interface Run {
  readonly cell: string
  readonly seed: number
  /** Credits gained in each hour, losses included. */
  readonly hourly: readonly number[]
  readonly credits: number
  readonly xp: number
  readonly pilotingXp: number
  readonly losses: number
  /** What missions and bounties paid, an hour. */
  readonly missions: number
  readonly bounties: number
  /** Whether, at the end of an hour, missions or kills had paid all that they may in a day. */
  readonly capped: boolean
  /** Orders by command and answer. */
  readonly answers: Readonly<Record<string, number>>
}

export interface Round extends RoundMoney {
  readonly seed: number
  readonly runs: readonly Run[]
  /** The money of the days after the round, if they were all alike. */
  readonly days: readonly Day[]
}

/** A pilot, with what is measured of them. */
interface Life extends Pilot {
  readonly base: Eid
  readonly empire: string
  policy: Deed | undefined
  isDone: boolean
  /** Tick in which their session ended, if their policy has ended. */
  loggedOffTick: number | undefined
  /** The command whose answer is awaited. */
  ordered: string | undefined
  ship: Eid
  /** Credits owed for ships that were replaced. */
  owed: number
  /** Credits paid towards the next hull. */
  invested: number
  losses: number
  /** Tick in which a lost ship is replaced. */
  restTick: number | undefined
  capped: boolean
  readonly worths: number[]
  readonly xpBefore: { all: number; piloting: number }
  readonly answers: Map<string, number>
}

/** Counts units by good in the hold and in all lockers. */
function goodsOf(world: World, { player }: Life): Map<string, number> {
  const ship = activeShip(world, player)
  const { alive } = world.read(Base)
  const { hold } = world.read(Ship)
  const goods = new Map<string, number>()
  const add = (container: Eid): void => {
    if (container === 0) return
    for (const { item, units } of contentsOf(world, container)) {
      const { id } = GOODS[item]
      goods.set(id, (goods.get(id) ?? 0) + units)
    }
  }
  if (ship !== 0) add(hold[ship])
  const jobs = world.read(Job)
  for (let job = 1; job <= world.highOf(Job); job++) {
    if (jobs.alive[job] === 1 && jobs.player[job] === player) add(jobs.escrow[job])
  }
  for (let base = 1; base <= world.highOf(Base); base++) {
    if (alive[base] === 1) add(lockerOf(world, player, base))
  }
  return goods
}

/**
 * Returns the worth of a life: wallet, goods at the prices they may bring, hull, and payments
 * towards the next one, less debts. Source: balance.md section 11.
 */
function worthOf(world: World, life: Life): number {
  const goods = [...goodsOf(world, life)].reduce((sum, [id, units]) => {
    const price = Math.min(goodOf(id).base_value, life.bids.get(id) ?? 0)
    return sum + (units * price * GOODS_PCT) / 100
  }, 0)
  const hull = shipWorth(world, activeShip(world, life.player))
  return balanceOf(world, walletOf(world, life.player)) + goods + hull + life.invested - life.owed
}

interface Birth {
  readonly cell: Cell
  readonly empire: string
  readonly name: string
  readonly seed: number
}

function openLife(driven: DrivenWorld, chart: Chart, { cell, empire, name, seed }: Birth): Life {
  const { world } = driven
  const player = driven.join(name, empire)
  const base = dockedBase(world, player)
  equip(world, player, base, cell, empire)
  const life: Life = {
    player,
    cell,
    chart,
    base,
    empire,
    home: baseId(world, base),
    dice: createDice(seed).branch(name),
    lawful: LAWFUL.has(cell.career),
    prices: new Map(),
    bids: new Map(),
    ship: activeShip(world, player),
    policy: undefined,
    isDone: false,
    loggedOffTick: undefined,
    ordered: undefined,
    owed: 0,
    invested: 0,
    losses: 0,
    restTick: undefined,
    capped: false,
    worths: [],
    xpBefore: experienceOf(world, player),
    answers: new Map(),
    tick: () => world.tick,
    ask: askOnce(driven, player),
  }
  return life
}

/** Sends each query at most once a tick, and repeats its answer within that tick. */
function askOnce({ world, now }: DrivenWorld, player: Eid): Pilot['ask'] {
  const answers = new Map<string, unknown>()
  let askedTick = -1
  return <R>(command: string, params = {}) => {
    if (askedTick !== world.tick) answers.clear()
    askedTick = world.tick
    const key = `${command} ${JSON.stringify(params)}`
    if (!answers.has(key)) {
      const [reply] = now([{ player, command, params }])
      answers.set(key, reply?.outcome.ok ? reply.outcome.result : undefined)
    }
    return answers.get(key) as R | undefined
  }
}

const count = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Resumes a pilot's policy with an answer, or for a new tick; returns the next order. */
function resume(life: Life, answer: Parameters<Deed['next']>[0]): Order | undefined {
  life.policy ??= POLICIES[life.cell.career](life)
  const { value, done } = life.policy.next(answer)
  if (done) life.isDone = true
  return value ?? undefined
}

/** Ends the session of a pilot whose policy has ended: from then on they are offline. */
function logOff({ world, now }: DrivenWorld, life: Life): void {
  const params = { player: world.read(Player).seq[life.player], channel: 'ws' }
  life.loggedOffTick = world.tick
  now([{ player: 0, command: 'internal:unbind', params }])
}

/** Replaces a lost ship after a delay; returns whether the pilot may not act yet. */
function isDown(world: World, life: Life): boolean {
  const ship = activeShip(world, life.player)
  if (ship !== life.ship) {
    life.ship = ship
    life.losses++
    life.policy = undefined
    life.ordered = undefined
    life.restTick = world.tick + REPLACED_TICKS
  }
  if (life.restTick === undefined) return false
  const base = dockedBase(world, life.player)
  if (world.tick < life.restTick || base === 0) return true
  const before = worthOf(world, life)
  giveShip(world, life.player, base, life.cell, life.empire)
  life.owed += worthOf(world, life) - before
  life.ship = activeShip(world, life.player)
  life.restTick = undefined
  return false
}

export async function playCareers(options: CareersOptions): Promise<Round> {
  const { seed, hours, cells, pilots = 2, settlers = 40 } = options
  const guests = cells.length * pilots
  const economy = await openEconomy({
    seed,
    players: settlers,
    guests,
    checkEvery: CHECK_EVERY,
    entitiesMin: ENTITIES_MIN,
  })
  const { driven } = economy
  const { world } = driven
  const chart = drawChart(seed)
  const lives = cells.flatMap((cell, cellIndex) =>
    Array.from({ length: pilots }, (_, pilotIndex) => {
      // Each world begins with another empire, so that over many worlds a cell has every home.
      const empire = empireOf(options.isOneRegion ? seed : seed + cellIndex + pilotIndex * 2)
      return openLife(driven, chart, {
        cell,
        empire,
        name: `${cell.career} ${cell.tier} ${pilotIndex}`,
        seed,
      })
    }),
  )
  const byPlayer = new Map(lives.map((life) => [life.player, life]))
  const before = moneyOf(world)
  for (const life of lives) life.worths.push(worthOf(world, life))
  const queue = new Map<Eid, Parameters<Deed['next']>[0]>()

  for (let tick = 1; tick <= hours * HOUR_TICKS; tick++) {
    const wishes: Wish[] = []
    for (const life of lives) {
      if (life.isDone || isDown(world, life) || life.ordered !== undefined) continue
      const order = resume(life, queue.get(life.player))
      queue.delete(life.player)
      if (life.isDone) logOff(driven, life)
      if (!order) continue
      const def = driven.registry.commands.get(order.command)
      assert(def && isMutation(def), `${order.command} takes no tick`)
      life.ordered = order.command
      wishes.push({ player: life.player, ...order })
    }
    for (const { player, command, outcome } of await economy.tick(wishes)) {
      const life = byPlayer.get(player)
      if (life?.ordered !== command) continue
      count(life.answers, `${command} ${outcome.ok ? 'ok' : outcome.code}`)
      life.ordered = undefined
      queue.set(player, outcome as Parameters<Deed['next']>[0])
    }
    if (tick % HOUR_TICKS !== 0) continue
    for (const life of lives) {
      life.capped ||= isAtCap(world, life.player)
      if (!life.isDone) payForHull(world, life)
      life.worths.push(worthOf(world, life))
    }
  }
  const runs = lives.map((life) => runOf(world, life, seed, hours))
  const after = moneyOf(world)
  const everybody = [...economy.bots, ...lives].map(({ player }) => player)
  const hoursOf = ({ loggedOffTick = world.tick }: Life) => loggedOffTick / HOUR_TICKS
  const sum = (each: (life: Life) => number, settled: number) =>
    Math.round(lives.reduce((all, life) => all + each(life), settled * settlers * hours))
  const money: RoundMoney = {
    hours,
    players: settlers + guests,
    playerHours: sum(hoursOf, 1),
    pay: sum((life) => hoursOf(life) * MEDIANS[life.cell.tier], MEDIANS[0]),
    moneyBefore: before.supply,
    moneyAfter: after.supply,
    flows: flowsBetween(before, after),
    taxesDue: taxesDue(world, everybody),
    perMille: after.perMille,
  }
  const round = { seed, ...money, runs, days: playDays(world, dayFlowsOf(money, runs)) }
  await driven.close()
  return round
}

/** Percent of a cap that counts as reached: the next reward is as a rule larger than the rest. */
const CAPPED_PCT = 95

/** Tells whether missions, or kills, have paid all that they may in a day at the present level. */
function isAtCap(world: World, player: Eid): boolean {
  const paidMax = (creditsPerDayMax(world, player) * CAPPED_PCT) / 100
  return (
    incomeOf(world, player, 'mission') >= paidMax ||
    counterOf(world, OF_PLAYERS, player, 'bounty_earned') >= paidMax
  )
}

function runOf(world: World, life: Life, seed: number, hours: number): Run {
  const { worths, xpBefore, cell, losses, answers, player, capped } = life
  const xp = experienceOf(world, player)
  const missions = incomeOf(world, player, 'mission')
  const bounties = counterOf(world, OF_PLAYERS, player, 'bounty_earned')
  return {
    cell: cellName(cell),
    seed,
    losses,
    capped,
    hourly: worths.slice(1).map((worth, hour) => Math.round(worth - worths[hour])),
    credits: Math.round((worths[hours] - worths[0]) / hours),
    xp: Math.round((xp.all - xpBefore.all) / hours),
    pilotingXp: Math.round((xp.piloting - xpBefore.piloting) / hours),
    missions: Math.round(missions / hours),
    bounties: Math.round(bounties / hours),
    answers: Object.fromEntries([...answers].sort()),
  }
}
