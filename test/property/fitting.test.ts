/**
 * Fits and hangars under random commands: a module is a good or fitted, never both; no good is
 * created or lost between hold, locker and ship but what the yard takes and gives; credits only go
 * to the yard; and a reloaded world continues like the one that was never saved. Every tick runs
 * all checks: slots, CPU, power, holds, names, and that every player flies a ship of their own.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GOODS, isModule, itemIndex } from '../../core/catalog/index.ts'
import { Container, namedContainer, Stack, unitsIn } from '../../core/goods.ts'
import { balanceOf, namedAccount, post } from '../../core/ledger.ts'
import type { Eid, World } from '../../core/types.ts'
import { walletOf } from '../../systems/account/model.ts'
import { moduleId, modulesOf, shipsOf } from '../../systems/ship/model.ts'
import { recompute } from '../../systems/ship/rules.ts'
import { Module, Ship } from '../../systems/ship/state.ts'
import { onSmallMap, type SmallWorld, smallWorld } from '../small-world.ts'
import { teach } from '../unit/drone/scene.ts'
import { aboard, docksOf, fitOf, give, hull, idOf, parked } from '../unit/fitting/scene.ts'

onSmallMap()

const TYPES = [
  'scanner_i',
  'cargo_expander_i',
  'cargo_expander_ii',
  'coprocessor_i',
  'reactor_upgrade_i',
  'autocannon_i',
  'pulse_laser_i',
  'shield_booster_i',
  'armor_plate_iii',
  'crew_quarters',
  'tow_rig_basic',
  'cloak_i',
  'pathfinder_drive',
  'strip_miner_i',
  'light_drone_bay',
]
const HULLS = ['clause', 'lookout', 'messenger', 'almoner', 'tugboat', 'granary']
const NAMES = ['One', 'Two Words', 'TWO WORDS', '', 'No', 'one']

const KINDS = [
  'install',
  'install',
  'install',
  'install',
  'uninstall',
  'uninstall',
  'uninstall',
  'switch',
  'switch',
  'scrap',
  'name',
  'refit',
  'withdraw',
  'deposit',
  'tow',
  'buy',
  'age',
] as const

const anyStep = fc.record({
  kind: fc.constantFrom(...KINDS),
  who: fc.nat({ max: 1 }),
  pick: fc.nat({ max: 60 }),
})
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** Steps that run first, so that each command succeeds at least once whatever is drawn. */
const PRELUDE: readonly Step[] = (
  ['install', 'uninstall', 'buy', 'switch', 'scrap', 'name', 'age', 'refit'] as const
).map((kind) => ({ kind, who: 0, pick: 0 }))

/** Returns the units of a good outside the named sources and sinks. */
function held(world: World, item: number): number {
  const { container, item: itemOf, units, alive } = world.read(Stack)
  const { named } = world.read(Container)
  let sum = 0
  for (let row = 1; row <= world.highOf(Stack); row++) {
    if (alive[row] === 1 && itemOf[row] === item && named[container[row]] === 0) sum += units[row]
  }
  return sum
}

/** Counts fitted modules of a type; issue modules are left out, since they are never goods. */
function fittedUnits(world: World, item: number): number {
  const { alive, type, issue } = world.read(Module)
  let count = 0
  for (let row = 1; row <= world.highOf(Module); row++) {
    if (alive[row] === 1 && type[row] === item && issue[row] === 0) count++
  }
  return count
}

/**
 * Returns the units of a good that no command changes: those held and fitted, plus what the yard
 * took, less what it gave.
 */
function matter(world: World, item: number): number {
  const taken = (name: 'consumption' | 'produced') => unitsIn(world, namedContainer(name), item)
  return held(world, item) + fittedUnits(world, item) + taken('consumption') + taken('produced')
}

const WATCHED = [...TYPES, 'iron_ore', 'autocannon_rounds'].map(itemIndex)

function commandOf(world: World, player: Eid, { kind, pick }: Step) {
  const ship = hull(world, player)
  const modules = modulesOf(world, ship)
  const fleet = shipsOf(world, player)
  const other = { ship_id: idOf(world, fleet[pick % fleet.length]) }
  const type = TYPES[pick % TYPES.length]
  switch (kind) {
    case 'install':
      return { command: 'install_mod', params: { module_id: type } }
    case 'uninstall': {
      const module = modules[pick % Math.max(1, modules.length)]
      const id = module === undefined || pick % 3 === 0 ? type : moduleId(world, module)
      return { command: 'uninstall_mod', params: { module_id: id } }
    }
    case 'switch':
      return { command: 'switch_ship', params: other }
    case 'scrap':
      return { command: 'scrap_ship', params: other }
    case 'name':
      return { command: 'name_ship', params: { name: NAMES[pick % NAMES.length] } }
    case 'refit':
      return { command: 'refit_ship', params: {} }
    case 'tow':
      return { command: 'withdraw_items', params: { item_id: other.ship_id, quantity: 1 } }
    case 'withdraw':
      return { command: 'withdraw_items', params: { item_id: type, quantity: 1 } }
    case 'deposit':
      return { command: 'deposit_items', params: { item_id: type, quantity: 1 } }
    default:
      return undefined
  }
}

/** Makes a change that is not a command: another hull with a module, or an older loadout. */
function meddle(world: World, player: Eid, { kind, pick }: Step): void {
  const ship = hull(world, player)
  if (kind === 'age') world.write(Ship).loadoutVersion[ship] = 0
  if (kind !== 'buy' || shipsOf(world, player).length > 6) return
  parked(world, player, HULLS[pick % HULLS.length], ['scanner_i'])
}

interface Sums {
  readonly goods: readonly number[]
  readonly credits: number
}

const sumsOf = (world: World, players: readonly Eid[]): Sums => ({
  goods: WATCHED.map((item) => matter(world, item)),
  credits:
    players.reduce((sum, player) => sum + balanceOf(world, walletOf(world, player)), 0) +
    balanceOf(world, namedAccount('fee_sink')),
})

/** Runs a step in a world; returns its answer. */
function run(small: SmallWorld, players: readonly Eid[], step: Step): string {
  const { world } = small
  const player = players[step.who]
  meddle(world, player, step)
  const sums = sumsOf(world, players)
  const chosen = commandOf(world, player, step)
  const answer = chosen ? small.act(player, chosen.command, chosen.params) : undefined
  small.ticks(chosen ? 0 : 1)
  expect(sumsOf(world, players), `after ${step.kind}`).toEqual(sums)
  return answer === undefined ? '' : `${step.kind} ${answer.ok ? 'ok' : answer.code}`
}

async function start(): Promise<SmallWorld> {
  const small = await smallWorld({ players: 2 })
  const { world } = small
  for (const player of small.players) {
    teach(world, player, 'piloting', 100)
    for (const ship of shipsOf(world, player)) recompute(world, ship)
    const ship = parked(world, player, 'granary')
    small.act(player, 'switch_ship', { ship_id: idOf(world, ship) })
    for (const type of TYPES) give(world, ship, type, 3)
    give(world, ship, 'iron_ore', 20)
    give(world, ship, 'autocannon_rounds', 5)
    post(world, namedAccount('starting_grant'), walletOf(world, player), 3_000)
  }
  return small
}

test('fitting commands conserve goods and credits, and a restart changes nothing', async () => {
  const first = await start()
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 30, maxLength: 40 }),
      fc.nat({ max: 29 }),
      async (drawn, saveAt) => {
        const steps = [...PRELUDE, ...drawn]
        const small = await first.reload()
        const { players } = first
        let twin: SmallWorld | undefined
        for (const [index, step] of steps.entries()) {
          if (index === saveAt) twin = await small.reload()
          seen.add(run(small, players, step))
          if (twin) run(twin, players, step)
        }
        expect(twin?.hash()).toBe(small.hash())
      },
    ),
    { numRuns: 6, seed: 20 },
  )
  for (const kind of ['install', 'uninstall', 'switch', 'scrap', 'name', 'refit']) {
    expect(seen, `nothing but refusals of ${kind}`).toContain(`${kind} ok`)
  }
  expect(seen.size).toBeGreaterThan(15)
})

test('every watched module type exists, and the scene holds three of each', async () => {
  const small = await start()
  const docks = docksOf(small)
  const [player] = small.players
  const ship = hull(small.world, player)
  expect(TYPES.every((type) => isModule(GOODS[itemIndex(type)]))).toBe(true)
  expect(TYPES.map((type) => aboard(small.world, ship, type))).toEqual(TYPES.map(() => 3))
  expect(docks.act(player, 'install_mod', { module_id: 'scanner_i' }).ok).toBe(true)
  expect(fitOf(small.world, ship)).toEqual([itemIndex('scanner_i')])
})
