/**
 * Sequences of commands of three players in the real world: each answer, and all that they own, is
 * compared with the model. Drawn and shrunk by fast-check: a failure names its seed and path.
 * Source: RELIABILITY 5, B9.
 */
import fc from 'fast-check'
import { GOODS, itemIndex } from '../../core/catalog/index.ts'
import type { Eid } from '../../core/types.ts'
import { addStat } from '../../systems/account/rules.ts'
import { type DrivenWorld, driveWorld } from '../driven-world.ts'
import { fund, load } from '../unit/trade/stage.ts'
import { asJson, type Json } from './driver.ts'
import * as rules from './sequence-model.ts'
import { type Bundle, type Good, MODEL_GOODS, type Model, type Person } from './sequence-model.ts'

const STEPS = 200
const PEOPLE = 3
/** Runs in one world: each has players of its own. */
const RUNS_PER_WORLD = 40
const EARNED_CREDITS = 1_000_000_000
const CREDITS = 1_000
const ORE_UNITS = 40
/** Far above what anybody pays. */
const PRICES = [9_000, 20_000]
const TRAVEL_TICKS_MAX = 50
const BASE = 'concord_spire'
const SPOTS = { station: 'aurelune_station', belt: 'aurelune_belt' } as const

const KINDS = [
  'wait',
  'dock',
  'undock',
  'deposit',
  'withdraw',
  'jettison',
  'give goods',
  'give credits',
  'offer',
  'offer',
  'accept',
  'accept',
  'decline',
  'cancel',
  'travel',
  'sell order',
  'cancel order',
  'status',
  'status',
  'log',
  'log',
  'look',
  'look',
  'look',
] as const
type Kind = (typeof KINDS)[number]

interface Step {
  readonly kind: Kind
  readonly player: number
  readonly other: number
  readonly good: Good
  readonly wanted: Good
  readonly units: number
  readonly asked: number
  readonly credits: number
  readonly pick: number
}

const stepArbitrary = fc.record<Step>({
  kind: fc.constantFrom(...KINDS),
  player: fc.nat(PEOPLE - 1),
  other: fc.nat(PEOPLE - 1),
  good: fc.constantFrom(...MODEL_GOODS),
  wanted: fc.constantFrom(...MODEL_GOODS),
  units: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 50 })),
  asked: fc.nat(3),
  credits: fc.oneof(fc.nat(20), fc.nat(1_500)),
  pick: fc.nat(20),
})

interface Real {
  readonly driven: DrivenWorld
  readonly rows: readonly Eid[]
}

interface Game {
  readonly model: Model
  readonly real: Real
}

/** Answers of the steps, by kind and code. */
type Tally = Map<string, number>

interface Reply {
  readonly code: string
  readonly result: Json
}

function replyTo(player: Eid, outcomes: readonly { player: Eid; outcome: object }[]) {
  const own = outcomes.find((row) => row.player === player)
  if (!own) return undefined
  const outcome = own.outcome as { ok: boolean; code?: string; result?: unknown }
  return { code: outcome.ok ? 'ok' : String(outcome.code), result: asJson(outcome.result) }
}

/** Runs a command that takes no tick. */
function runNow(real: Real, player: number, command: string, params: Json): Reply {
  const row = real.rows[player]
  const reply = replyTo(row, real.driven.now([{ player: row, command, params }]))
  if (!reply) throw new Error(`${command} was not answered`)
  return reply
}

/** Runs a mutation in a tick of its own; further ticks pass until its outcome is there. */
function act({ real, model }: Game, player: number, command: string, params: Json): Reply {
  const row = real.rows[player]
  let wishes = [{ player: row, command, params }]
  for (let ticks = 0; ticks < TRAVEL_TICKS_MAX; ticks++) {
    const reply = replyTo(row, real.driven.tick(wishes))
    model.tick = real.driven.world.tick
    if (reply) return reply
    rules.passTick(model)
    wishes = []
  }
  throw new Error(`${command} was not answered`)
}

const pickId = (ids: Iterable<string>, pick: number): string => {
  const list = [...ids]
  return list[pick % Math.max(1, list.length)] ?? '00000000-0000-0000-0000-000000000000'
}

const linesOf = ({ good, units }: Bundle): Json[] =>
  units === 0 ? [] : [{ item_id: good, quantity: units }]

type Play = (game: Game, step: Step) => { readonly got: string; readonly wanted: string }

/** Runs a mutation; compares the server's answer with the model's, for the tick in which it ran. */
function mutate(
  game: Game,
  { player }: Step,
  [command, params]: readonly [string, Json],
  judge: (reply: Reply) => string,
) {
  const reply = act(game, player, command, params)
  const wanted = judge(reply)
  rules.passTick(game.model)
  return { got: reply.code, wanted }
}

const playOffer: Play = (game, step) => {
  const { model } = game
  const { player, other, good, wanted: want, units, asked, credits } = step
  const give = { good, units: units % 4, credits: credits % 50 }
  const ask = { good: want, units: asked, credits: (credits >> 2) % 40 }
  const params = {
    target_id: model.people[other].name,
    offer_items: linesOf(give),
    offer_credits: give.credits,
    request_items: linesOf(ask),
    request_credits: ask.credits,
  }
  return mutate(game, step, ['trade_offer', params], ({ result }) =>
    rules.offer(model, { from: player, to: other, give, ask }, String(result.trade_id)),
  )
}

/** Returns the id of an offer: an open one, mostly the player's own, or a closed one. */
const offerFor = ({ model }: Game, { pick, player }: Step, role: 'from' | 'to'): string => {
  const own = [...model.offers].filter(([, offer]) => offer[role] === player).map(([id]) => id)
  if (pick % 5 > 0 && own.length > 0) return pickId(own, pick)
  return pickId([...model.offers.keys(), ...model.lapsed, ...model.ended], pick)
}

const playEnd =
  (command: 'trade_decline' | 'trade_cancel'): Play =>
  (game, step) => {
    const id = offerFor(game, step, command === 'trade_decline' ? 'to' : 'from')
    const { code } = runNow(game.real, step.player, command, { trade_id: id })
    const judge = command === 'trade_decline' ? rules.decline : rules.cancel
    return { got: code, wanted: judge(game.model, step.player, id) }
  }

const playSellOrder: Play = (game, step) => {
  const { model } = game
  const { player, good, pick } = step
  const [units, priceEach] = [1 + (step.units % 3), PRICES[pick % PRICES.length]]
  const params = { item_id: good, quantity: units, price_each: priceEach }
  return mutate(game, step, ['create_sell_order', params], ({ result }) =>
    rules.sellOrder(model, { owner: player, good, units, priceEach }, String(result.order_id)),
  )
}

const person = ({ model }: Game, { player }: Step): Person => model.people[player]

const PLAYS: Readonly<Record<Kind, Play>> = {
  wait(game) {
    game.real.driven.tick([])
    game.model.tick = game.real.driven.world.tick
    rules.passTick(game.model)
    return { got: 'ok', wanted: 'ok' }
  },
  dock: (game, step) => mutate(game, step, ['dock', {}], () => rules.dock(person(game, step))),
  undock: (game, step) =>
    mutate(game, step, ['undock', {}], () => rules.undock(person(game, step))),
  deposit: (game, step) =>
    mutate(game, step, ['deposit_items', { item_id: step.good, quantity: step.units }], () =>
      rules.deposit(person(game, step), step.good, step.units),
    ),
  withdraw: (game, step) =>
    mutate(game, step, ['withdraw_items', { item_id: step.good, quantity: step.units }], () =>
      rules.withdraw(game.model, person(game, step), step.good, step.units),
    ),
  jettison: (game, step) =>
    mutate(game, step, ['jettison', { item_id: step.good, quantity: step.units }], () =>
      rules.jettison(person(game, step), step.good, step.units),
    ),
  'give goods': (game, step) => {
    const { player, other, good, units } = step
    const recipient = game.model.people[other].name
    return mutate(game, step, ['send_gift', { recipient, item_id: good, quantity: units }], () =>
      rules.giveGoods(game.model, player, other, { good, units, credits: 0 }),
    )
  },
  'give credits': (game, step) => {
    const credits = step.credits + 1
    const recipient = game.model.people[step.other].name
    return mutate(game, step, ['send_gift', { recipient, credits }], () =>
      rules.giveCredits(game.model, step.player, step.other, credits),
    )
  },
  offer: playOffer,
  accept: (game, step) => {
    const id = offerFor(game, step, 'to')
    return mutate(game, step, ['trade_accept', { trade_id: id }], () =>
      rules.accept(game.model, step.player, id),
    )
  },
  decline: playEnd('trade_decline'),
  cancel: playEnd('trade_cancel'),
  travel: (game, step) => {
    // Few flights go to the belt: the tank is small.
    const to = step.pick > 15 ? 'belt' : 'station'
    return mutate(game, step, ['travel', { target_poi: SPOTS[to] }], () =>
      rules.travel(person(game, step), to),
    )
  },
  'sell order': playSellOrder,
  'cancel order': (game, step) => {
    const id = pickId(game.model.orders.keys(), step.pick)
    return mutate(game, step, ['cancel_order', { order_id: id }], () =>
      rules.cancelOrder(game.model, step.player, id),
    )
  },
  status: (game, step) => {
    const text = 'at work '.repeat(step.pick).trim()
    const { code } = runNow(game.real, step.player, 'set_status', { status_message: text })
    return { got: code, wanted: rules.setStatus(person(game, step), text) }
  },
  log: (game, step) => {
    const params = { entry: `Day ${step.pick}` }
    const { code } = runNow(game.real, step.player, 'captains_log_add', params)
    return { got: code, wanted: rules.logEntry(person(game, step)) }
  },
  look: () => ({ got: 'ok', wanted: 'ok' }),
}

const rowsOf = (goods: ReadonlyMap<Good, number>): string[] =>
  [...goods].map(([good, units]) => `${units} ${good}`).sort()
const rowsIn = (rows: unknown): string[] =>
  (rows as Json[]).map(({ item_id, quantity }) => `${quantity} ${item_id}`).sort()

/** Returns what a player owns by the model, in the form that the server sends. */
function modelledState({ model }: Game, player: number): Json {
  const { credits, hold, locker, isDocked, spot, status } = model.people[player]
  const offers = [...model.offers.values()]
  return {
    credits,
    status,
    spot: SPOTS[spot],
    base: isDocked ? BASE : undefined,
    hold: rowsOf(hold),
    used: rules.spaceUsed(model, hold),
    locker: rowsOf(locker),
    incoming: offers.filter(({ to }) => to === player).length,
    outgoing: offers.filter(({ from }) => from === player).length,
  }
}

function observedState({ real }: Game, player: number): Json {
  const ask = (command: string, params: Json = {}) => runNow(real, player, command, params).result
  const status = ask('get_status')
  const [own, cargo, trades] = [asJson(status.player), ask('get_cargo'), ask('get_trades')]
  return {
    credits: own.credits,
    status: own.status_message,
    spot: own.current_poi,
    base: own.docked_at_base,
    hold: rowsIn(cargo.cargo),
    used: cargo.used,
    locker: rowsIn(ask('view_storage', { station_id: BASE }).items),
    incoming: (trades.incoming as Json[]).length,
    outgoing: (trades.outgoing as Json[]).length,
  }
}

function newGame(driven: DrivenWorld, run: number): Game {
  const { world } = driven
  const rows = Array.from({ length: PEOPLE }, (_, i) => driven.join(`M ${run} ${i}`, 'solarian'))
  const real = { driven, rows }
  for (const row of rows) {
    load(world, row, itemIndex('iron_ore'), ORE_UNITS)
    fund(world, row, CREDITS)
    // The model knows no bound on gifts: they have earned more than they can give.
    addStat(world, row, 'credits_earned', EARNED_CREDITS)
  }
  const people = rows.map((_, i): Person => {
    const cargo = runNow(real, i, 'get_cargo', {}).result
    const goods = (cargo.cargo as Json[]).map(
      ({ item_id, quantity }) => [item_id as Good, Number(quantity)] as const,
    )
    const { credits } = asJson(runNow(real, i, 'get_status', {}).result.player)
    return {
      name: `M ${run} ${i}`,
      credits: Number(credits),
      hold: new Map(goods),
      locker: new Map(),
      spot: 'station',
      isDocked: true,
      status: '',
      entries: 0,
    }
  })
  const sizes = Object.fromEntries(
    MODEL_GOODS.map((id) => [id, GOODS[itemIndex(id)].size]),
  ) as Record<Good, number>
  const holdSpace = Number(runNow(real, 0, 'get_cargo', {}).result.capacity)
  const model: Model = {
    people,
    holdSpace,
    sizes,
    tick: world.tick,
    offers: new Map(),
    lapsed: new Set(),
    ended: new Set(),
    declines: [],
    orders: new Map(),
  }
  return { model, real }
}

function playSteps(game: Game, steps: readonly Step[], tally: Tally): void {
  steps.forEach((step, i) => {
    const { got, wanted } = PLAYS[step.kind](game, step)
    const key = `${step.kind} ${got}`
    tally.set(key, (tally.get(key) ?? 0) + 1)
    const where = `step ${i}, ${JSON.stringify(step)}`
    if (got !== wanted) throw new Error(`${where}: ${got}, but the model says ${wanted}`)
    if (step.kind !== 'look' && i < steps.length - 1) return
    for (const player of game.real.rows.keys()) {
      const actual = JSON.stringify(observedState(game, player))
      const modelled = JSON.stringify(modelledState(game, player))
      if (actual === modelled) continue
      throw new Error(`${where}: player ${player} has ${actual}, not ${modelled}`)
    }
  })
}

interface SequencesOptions {
  readonly runs: number
  readonly seed: number
  /** Path of a failure that fast-check printed. */
  readonly path?: string
}

/** Runs this many sequences; throws at the first that fails, shrunk, with its seed and path. */
export async function runSequences({ runs, seed, path }: SequencesOptions): Promise<Tally> {
  const tally: Tally = new Map()
  let driven: DrivenWorld | undefined
  let left = 0
  let run = 0
  const steps = fc.array(stepArbitrary, { minLength: STEPS, maxLength: STEPS })
  const property = fc.asyncProperty(steps, async (drawn) => {
    if (left === 0 || !driven) {
      await driven?.close()
      driven = await driveWorld({ seed: 3, maxEntities: 4_000, checkEvery: 400, isSmallMap: true })
      left = RUNS_PER_WORLD
    }
    left -= 1
    run += 1
    playSteps(newGame(driven, run), drawn, tally)
  })
  await fc.assert(property, { numRuns: runs, seed, endOnFailure: true, ...(path ? { path } : {}) })
  await driven?.close()
  return tally
}
