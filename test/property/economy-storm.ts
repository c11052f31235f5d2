/**
 * A random economy: players at five capitals give every command that moves money or goods, valid
 * or not, through the real engine. After each tick all invariants of the world are checked; now and
 * then the world is saved and continues from its image on another number of kernel threads. What is
 * sent follows from the seed and the answers, so every run of a seed ends on the same hash.
 */
import { assert } from '../../core/assert.ts'
import { FACILITIES, itemIndex, RECIPES, SHIP_CLASSES } from '../../core/catalog/index.ts'
import { type CommandDef, isMutation } from '../../core/command.ts'
import { createDice, type Dice } from '../../core/dice.ts'
import { moveItems, namedContainer } from '../../core/goods.ts'
import { namedAccount, post } from '../../core/ledger.ts'
import type { WorldImage } from '../../core/ports.ts'
import type { Eid, World } from '../../core/types.ts'
import { createValidators, validate } from '../../net/validate.ts'
import { playerId, usernameOf, walletOf } from '../../systems/account/model.ts'
import { openLocker } from '../../systems/cargo/model.ts'
import { addFacility } from '../../systems/facility/lifecycle-rules.ts'
import { factionOwner } from '../../systems/facility/model.ts'
import { ONLINE } from '../../systems/facility/state.ts'
import { addMember, foundFaction } from '../../systems/faction/member-rules.ts'
import { treasuryOf } from '../../systems/faction/model.ts'
import { openStore } from '../../systems/faction/store-model.ts'
import { skillIndex } from '../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../systems/skill/state.ts'
import { dockedBase } from '../../systems/travel/location-model.ts'
import { type DrivenWorld, driveWorld, empireOf, type Wish } from '../driven-world.ts'
import { type Choices, type Known, learn, operationsOf, paramsFor } from './economy-values.ts'

const MAX_ENTITIES = 20_000
const PLAYERS = 40
const CREDITS = 20_000_000
const UNITS = 20_000

/** Categories of commands that move money or goods. */
const CATEGORIES = ['trading', 'storage', 'crafting', 'facility', 'ship', 'faction']
/** Commands that would separate the players, or end the run for one of them. */
const LEFT_OUT = new Set(['set_home_base', 'leave_faction', 'faction_kick'])
/** Percent of commands that are of the exchange: they carry the long lists. */
const TRADING_PCT = 40
/** Queries that are sent now and then, for the ids in their answers. */
const LOOKS = [
  'get_ship',
  'view_storage',
  'view_orders',
  'get_trades',
  'list_ships',
  'browse_ships',
  'view_ship_buy_orders',
  'commission_status',
  'faction_info',
  'view_faction_storage',
]

interface StormOptions {
  readonly seed: number
  /** Operations to send, at least: each row of a list counts. */
  readonly count: number
  /** Kernel threads, a number for each stretch between two restarts, in turn. */
  readonly workers?: readonly number[]
  /** Ticks between two restarts; without it there are none. */
  readonly restartEvery?: number
  readonly onTick?: (ticks: number, operations: number) => void
}

interface Storm {
  readonly hash: string
  readonly ticks: number
  readonly operations: number
  readonly restarts: number
  /** Answers by command and code. */
  readonly answers: ReadonlyMap<string, number>
}

let startImage: Promise<WorldImage> | undefined

/** Goods that recipes, yards and builders require, and their products. */
const WARES = [
  ...new Set(
    [
      ...RECIPES.slice(0, 60).flatMap(({ inputs, outputs }) => [...inputs, ...outputs]),
      ...FACILITIES.slice(0, 40).flatMap(({ build_materials }) => build_materials),
      ...SHIP_CLASSES.slice(0, 20).flatMap(({ build_materials }) => build_materials),
    ].map(({ item_id }) => item_id),
  ),
  'cargo_container',
  'repair_kit',
  'fuel_cell',
  'mining_laser_i',
  'cargo_expander_i',
]

/** What a company has at its base: a store, a place to sell, a shop of its own, works. */
const COMPANY = ['faction_storage', 'faction_market', 'company_store', 'faction_fuel_bunker']
const COMPANY_GOODS = 5_000
const BUILDER_LEVEL = 4
/** Four of the eight players at a capital are members of its company. */
const MEMBERS = 4

/** Founds a faction with a full store and credits; its first member leads it. */
function foundCompany(world: World, members: readonly Eid[], index: number): void {
  const [leader, ...rest] = members
  const base = dockedBase(world, leader)
  const faction = foundFaction(
    world,
    leader,
    `Company ${index}`,
    `C${String(index).padStart(3, '0')}`,
  )
  for (const member of rest) addMember(world, member, faction)
  post(world, namedAccount('starting_grant'), treasuryOf(world, faction), CREDITS)
  for (const service of COMPANY) {
    const type = FACILITIES.findIndex((row) => row.faction_service_type === service)
    assert(type >= 0, `no facility is a ${service}`)
    addFacility(world, { type, base, owner: factionOwner(faction), status: ONLINE })
  }
  const store = openStore(world, { faction, base, bucket: 0 })
  for (const id of WARES) {
    moveItems(world, namedContainer('supply'), store, itemIndex(id), COMPANY_GOODS)
  }
}

/** Makes players with credits, goods and some skills at the capitals of all empires. */
async function stage(): Promise<WorldImage> {
  const driven = await driveWorld({ maxEntities: MAX_ENTITIES, isSmallMap: true })
  const { world } = driven
  const players = Array.from({ length: PLAYERS }, (_, i) => driven.join(`Dealer ${i}`, empireOf(i)))
  const { level } = world.write(PlayerSkills)
  for (const player of players) {
    post(world, namedAccount('starting_grant'), walletOf(world, player), CREDITS)
    const locker = openLocker(world, player, dockedBase(world, player))
    for (const id of WARES) moveItems(world, namedContainer('supply'), locker, itemIndex(id), UNITS)
    level[player * SKILLS_WIDTH + skillIndex('corporation_management')] = BUILDER_LEVEL
  }
  for (const base of new Set(players.map((player) => dockedBase(world, player)))) {
    const here = players.filter((player) => dockedBase(world, player) === base)
    foundCompany(world, here.slice(0, MEMBERS), base)
  }
  const image = driven.image()
  await driven.close()
  return image
}

function choicesOf(world: World, players: readonly Eid[]): Choices {
  const names = players.map((player) => usernameOf(world, player))
  const ids = players.map((player) => playerId(world, player))
  const people = [...names, ...ids.slice(0, 10)]
  const stores = ['storage', 'cargo', 'faction', 'self', 'faction:vault']
  const classes = SHIP_CLASSES.filter(({ hidden, tier }) => !hidden && tier <= 1)
  const byName: [string, readonly unknown[]][] = [
    ['item_id', [...WARES.slice(0, 12), ...WARES]],
    ['recipe_id', RECIPES.slice(0, 40).map(({ id }) => id)],
    ['facility_type', FACILITIES.slice(0, 40).map(({ id }) => id)],
    ['ship_class', classes.map(({ id }) => id)],
    ['class_id', classes.map(({ id }) => id)],
    ['module_id', ['mining_laser_i', 'cargo_expander_i', 'autocannon_i']],
    ['target_id', people],
    ['player_id', people],
    ['username', names],
    ['recipient', [...people, 'faction', 'solarian']],
    ['target', [...stores, ...people]],
    ['source', stores],
    ['deliver_to', stores],
    ['bucket', ['vault', 'spares']],
    ['dest_bucket', ['vault', 'spares']],
    ['name', ['Vault', 'Spares', 'Amber Hall', 'Third Dock']],
    ['tag', ['AMBR', 'DOCK', 'VOLT', 'RUST']],
  ]
  return { byName: new Map(byName) }
}

interface Play {
  readonly defs: { readonly trading: readonly CommandDef[]; readonly rest: readonly CommandDef[] }
  readonly dice: Dice
  readonly known: Known
  readonly choices: Choices
  readonly validators: ReturnType<typeof createValidators>
  readonly answers: Map<string, number>
}

function commandsOf({ registry }: DrivenWorld): Play['defs'] {
  const all = [...registry.commands.values()].filter(
    (def) =>
      isMutation(def) &&
      def.kind === 'mutation' &&
      CATEGORIES.includes(def.category) &&
      !LEFT_OUT.has(def.name),
  )
  return {
    trading: all.filter(({ category }) => category === 'trading'),
    rest: all.filter(({ category }) => category !== 'trading'),
  }
}

const keyOf = (def: CommandDef): string =>
  def.v1 === false ? `v2:${def.v2?.tool}/${def.v2?.action}` : def.name

/** Draws a command with parameters that pass its schema; undefined when these do not. */
function wishFor({ dice, defs, known, choices, validators }: Play, player: Eid): Wish | undefined {
  const def = dice.pick(dice.chance(TRADING_PCT) ? defs.trading : defs.rest)
  const params = paramsFor(dice, def, known, choices)
  const checked = validate(validators, def, params, false)
  return checked.ok ? { player, command: keyOf(def), params: checked.params } : undefined
}

function runTick({ answers, known }: Play, driven: DrivenWorld, wishes: readonly Wish[]): void {
  for (const { command, outcome } of driven.tick(wishes)) {
    const key = `${command} ${outcome.ok ? 'ok' : outcome.code}`
    answers.set(key, (answers.get(key) ?? 0) + 1)
    if (outcome.ok) learn(known, outcome.result)
  }
}

const LOOKS_A_TICK = 2
const UNDOCKED_STAYS_PCT = 50

/** Returns the command to dock for a player who is undocked, half of the time. */
function dockingWish(driven: DrivenWorld, dice: Dice, player: Eid): Wish | undefined {
  if (dockedBase(driven.world, player) !== 0 || dice.chance(UNDOCKED_STAYS_PCT)) return undefined
  return { player, command: 'dock' }
}

function playTick(play: Play, driven: DrivenWorld, players: readonly Eid[]): number {
  const { dice, known } = play
  for (let i = 0; i < LOOKS_A_TICK; i++) {
    const command = dice.pick(LOOKS)
    for (const { outcome } of driven.now([{ player: dice.pick(players), command }])) {
      if (outcome.ok) learn(known, outcome.result)
    }
  }
  const wishes = players.flatMap((player) => {
    if (dice.chance(5) || !driven.isFree(player, 'dock')) return []
    const wish = dockingWish(driven, dice, player) ?? wishFor(play, player)
    return wish ? [wish] : []
  })
  runTick(play, driven, wishes)
  return wishes.reduce((sum, { params = {} }) => sum + operationsOf(params), 0)
}

/** Moves a world's image into another world with this many threads. */
async function restart(driven: DrivenWorld, workers: number): Promise<DrivenWorld> {
  const hash = driven.hash()
  const from = driven.image()
  await driven.close()
  const next = await driveWorld({ maxEntities: MAX_ENTITIES, from, workers, checkEvery: 1 })
  assert(next.hash() === hash, 'the world differs after a restart')
  return next
}

export async function runEconomyStorm(options: StormOptions): Promise<Storm> {
  const { seed, count, workers = [0], restartEvery = Number.POSITIVE_INFINITY } = options
  startImage ??= stage()
  let driven = await driveWorld({
    maxEntities: MAX_ENTITIES,
    from: await startImage,
    checkEvery: 1,
    workers: workers[0],
  })
  const players = Array.from({ length: PLAYERS }, (_, i) => i + 1)
  const play: Play = {
    defs: commandsOf(driven),
    dice: createDice(seed),
    known: new Map(),
    choices: choicesOf(driven.world, players),
    validators: createValidators(),
    answers: new Map(),
  }
  let operations = 0
  let restarts = 0
  let ticks = 0
  while (operations < count) {
    operations += playTick(play, driven, players)
    await driven.settled()
    ticks++
    if (ticks % restartEvery === 0) {
      restarts++
      driven = await restart(driven, workers[restarts % workers.length])
    }
    options.onTick?.(ticks, operations)
  }
  const hash = driven.hash()
  await driven.close()
  return { hash, ticks, operations, restarts, answers: play.answers }
}
