/**
 * Wrecks under random commands: only the named sources and sinks create or destroy goods between
 * hold, wreck, container, locker and yard; a module is a good or a fitted module, never both; and
 * no ship tows two things.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { GOODS, itemIndex, skillIndex } from '../../core/catalog/index.ts'
import { Container, NAMED_CONTAINERS, namedContainer, Stack, unitsIn } from '../../core/goods.ts'
import { namedAccount, post } from '../../core/ledger.ts'
import type { Eid, Row, World } from '../../core/types.ts'
import { walletOf } from '../../systems/account/model.ts'
import { Player } from '../../systems/account/state.ts'
import { hasService } from '../../systems/base/model.ts'
import { Base } from '../../systems/base/state.ts'
import { containerId, containersAt } from '../../systems/cargo/model.ts'
import { wreckId, wreckModules, wrecksAt } from '../../systems/salvage/model.ts'
import { Tow } from '../../systems/salvage/state.ts'
import { loadCargo, moduleId, shipId } from '../../systems/ship/model.ts'
import { Module } from '../../systems/ship/state.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../systems/skill/state.ts'
import { dockShip, placeInSpace } from '../../systems/travel/rules.ts'
import { onSmallMap } from '../small-world.ts'
import { hullOf, meeting, open, putAt, type Scene } from '../unit/combat/scene.ts'
import { hullOfScale, loseAt } from '../unit/salvage/stage.ts'

onSmallMap()

const GUN = itemIndex('autocannon_i')
const ORE = itemIndex('iron_ore')
const METAL = itemIndex('salvage_metal')
const WATCHED = [GUN, ORE, METAL]

const KINDS = [
  'loot',
  'loot',
  'lootItem',
  'lootModule',
  'lootTow',
  'tow',
  'tow',
  'release',
  'sell',
  'scrap',
  'jettison',
  'move',
  'dock',
  'lose',
  'drawShip',
  'storeShip',
  'offline',
  'wait',
] as const

const anyStep = fc.record({
  kind: fc.constantFrom(...KINDS),
  who: fc.nat({ max: 1 }),
  pick: fc.nat({ max: 50 }),
  units: fc.integer({ min: 1, max: 9 }),
})
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

/** Returns the units of a good outside the named sources and sinks. */
function held(world: World, item: number): number {
  const stack = world.read(Stack)
  const { named } = world.read(Container)
  let sum = 0
  for (let row = 1; row <= world.highOf(Stack); row++) {
    if (stack.alive[row] === 0 || stack.item[row] !== item) continue
    if (named[stack.container[row]] === 0) sum += stack.units[row]
  }
  return sum
}

/** Returns the units of a good that came from the named sources, less those that went to sinks. */
const suppliedUnits = (world: World, item: number): number =>
  -NAMED_CONTAINERS.reduce((sum, name) => sum + unitsIn(world, namedContainer(name), item), 0)

/** Counts the modules of a type on ships and in wrecks. */
function modules(world: World, item: number): number {
  const { alive, type } = world.read(Module)
  let count = 0
  for (let row = 1; row <= world.highOf(Module); row++) {
    if (alive[row] === 1 && type[row] === item) count++
  }
  return count
}

/**
 * Returns what no command changes: fitted guns, less those that became modules out of goods. A gun
 * that becomes a good again is taken off both.
 */
const gunBalance = (world: World): number =>
  modules(world, GUN) - unitsIn(world, namedContainer('fitted'), GUN)

/** Steps that run first, so that each command succeeds at least once whatever is drawn. */
const PRELUDE: readonly Step[] = (
  [
    'loot',
    'tow',
    'release',
    'tow',
    'sell',
    'tow',
    'lootTow',
    'scrap',
    'drawShip',
    'storeShip',
  ] as const
).map((kind) => ({ kind, who: 0, pick: 1, units: 3 }))

interface Stage {
  readonly scene: Scene
  readonly places: readonly Eid[]
  readonly yards: readonly Eid[]
  readonly spare: readonly Eid[]
}

const pickOf = <T>(rows: readonly T[], pick: number): T | undefined =>
  rows.length === 0 ? undefined : rows[pick % rows.length]

/** Returns the ids of wrecks and containers where a player is. */
function adrift({ scene }: Stage, player: Eid): string[] {
  const found = scene.small.ask(player, 'get_wrecks')
  const listed = found.ok ? (found.result as { wrecks: { id: string }[] }).wrecks : []
  expect(listed.length).toBeLessThanOrEqual(100)
  return listed.map(({ id }) => id)
}

/** Returns the command of a step; undefined for steps that are not commands. */
function commandOf(stage: Stage, player: Eid, { kind, pick, units }: Step) {
  const { world } = stage.scene
  const wreck_id = pickOf(adrift(stage, player), pick) ?? 'none'
  const spare = shipId(world, stage.spare[player === stage.scene.players[0] ? 0 : 1])
  switch (kind) {
    case 'loot':
      return { command: 'loot_wreck', params: { wreck_id } }
    case 'lootItem':
      return { command: 'loot_wreck', params: { wreck_id, item_id: 'iron_ore', quantity: units } }
    case 'lootModule':
      return { command: 'loot_wreck', params: { wreck_id, module_id: anyModule(stage, pick) } }
    case 'lootTow':
      return { command: 'loot_wreck', params: {} }
    case 'tow':
      return { command: 'tow_wreck', params: { wreck_id } }
    case 'release':
      return { command: 'release_tow', params: {} }
    case 'sell':
      return { command: 'sell_wreck', params: {} }
    case 'scrap':
      return { command: 'scrap_wreck', params: {} }
    case 'jettison': {
      const item_id = GOODS[WATCHED[pick % WATCHED.length]].id
      return { command: 'jettison', params: { item_id, quantity: units } }
    }
    case 'drawShip':
      return { command: 'withdraw_items', params: { item_id: spare, quantity: 1 } }
    case 'storeShip':
      return { command: 'deposit_items', params: { item_id: spare, quantity: 1 } }
    default:
      return undefined
  }
}

function anyModule({ scene, places }: Stage, pick: number): string {
  const { world } = scene
  const rows: Row[] = places
    .flatMap((poi) => wrecksAt(world, poi))
    .flatMap((wreck) => wreckModules(world, wreck))
  const row = pickOf(rows, pick)
  return row === undefined ? 'none' : moduleId(world, row)
}

const IN_SPACE: readonly string[] = ['loot', 'lootItem', 'lootModule', 'tow']
const AT_YARD: readonly string[] = ['sell', 'scrap', 'drawShip', 'storeShip']

/** Brings a player where a command makes sense, most of the time. */
function moveForStep({ scene, places, yards }: Stage, player: Eid, { kind, pick }: Step): void {
  if (pick % 5 === 0) return
  const ship = hullOf(scene.world, player)
  if (IN_SPACE.includes(kind)) placeInSpace(scene.world, ship, places[pick % 2])
  if (AT_YARD.includes(kind)) dockShip(scene.world, ship, yards[pick % yards.length])
}

/** Carries out a step that is not a command. */
function carryOut(stage: Stage, player: Eid, { kind, pick }: Step): void {
  const { scene, places, yards } = stage
  const { world, small } = scene
  const ship = hullOf(world, player)
  if (kind === 'move') placeInSpace(world, ship, places[pick % places.length])
  if (kind === 'dock') dockShip(world, ship, yards[pick % yards.length])
  if (kind === 'offline') {
    const number = world.read(Player).seq[player]
    small.ask(0, 'internal:unbind', { player: number, channel: 'ws' })
    small.ticks(1)
    small.ask(0, 'internal:bind', { player: number, channel: 'ws' })
  }
  if (kind === 'wait') small.ticks(1 + (pick % 3))
  if (kind === 'lose') addWreck(stage, pick)
}

function addWreck({ scene, places }: Stage, pick: number): void {
  const guns = Array.from({ length: pick % 4 }, () => 'autocannon_i')
  loseAt(scene.world, places[pick % 2], {
    shipClass: pick % 3 === 0 ? 'reaver' : hullOfScale(1),
    ore: pick % 15,
    modules: pick % 3 === 0 ? guns : [],
    issue: pick % 7 === 0,
  })
}

async function openStage(): Promise<Stage> {
  const scene = await meeting(2)
  const { world } = scene
  const yards: Eid[] = []
  for (let base = 1; base <= world.highOf(Base) && yards.length < 2; base++) {
    const isOpen = world.read(Base).pirateRepRequired[base] === 0
    if (isOpen && hasService(world, base, 'salvage_yard') && hasService(world, base, 'storage')) {
      yards.push(base)
    }
  }
  const spare = storeShips(scene, yards[0])
  const stage = { scene, places: open(world, scene.system), yards, spare }
  for (let pick = 1; pick < 7; pick++) addWreck(stage, pick)
  return stage
}

/** Gives both players a tug, and stores their first ships at a yard; returns those. */
function storeShips(scene: Scene, yard: Eid): Eid[] {
  const { world } = scene
  return scene.players.map((player) => {
    const ship = hullOf(world, player)
    const shipClass = 'tugboat'
    const tug = putAt(world, player, scene.poi, {
      shipClass,
      modules: ['tow_rig_basic', 'salvager_i'],
    })
    dockShip(world, ship, yard)
    loadCargo(world, tug, namedContainer('mined'), ORE, 5)
    post(world, namedAccount('starting_grant'), walletOf(world, player), 1_000)
    world.write(PlayerSkills).level[player * SKILLS_WIDTH + skillIndex('salvaging')] = 5
    return ship
  })
}

test('goods are conserved and no ship tows two things, whatever is done to wrecks', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 20, maxLength: 20 }), async (steps) => {
      const stage = await openStage()
      const { world, small, players } = stage.scene
      for (const step of [...PRELUDE, ...steps]) {
        const player = players[step.who]
        moveForStep(stage, player, step)
        const command = commandOf(stage, player, step)
        const balances = () => WATCHED.map((item) => held(world, item) - suppliedUnits(world, item))
        const before = balances()
        const guns = gunBalance(world)
        if (command) {
          const outcome = small.act(player, command.command, command.params)
          seen.add(`${command.command} ${outcome.ok ? 'ok' : outcome.code}`)
          expect(gunBalance(world), command.command).toBe(guns)
        } else carryOut(stage, player, step)
        // Whatever is held came out of a named source.
        expect(balances()).toEqual(before)
        for (const flown of players.map((pilot) => hullOf(world, pilot))) {
          const { wreck, ship } = world.read(Tow)
          expect(wreck[flown] === 0 || ship[flown] === 0).toBe(true)
        }
      }
      small.ticks(1)
    }),
    { numRuns: 3, seed: 11, endOnFailure: true },
  )
  for (const wanted of [
    'loot_wreck ok',
    'tow_wreck ok',
    'release_tow ok',
    'sell_wreck ok',
    'scrap_wreck ok',
  ]) {
    expect(seen).toContain(wanted)
  }
}, 120_000)

test('looting a module turns it into a good', async () => {
  const { scene } = await openStage()
  const { world, small, players, poi } = scene
  const row = loseAt(world, poi, { modules: ['autocannon_i', 'autocannon_i', 'autocannon_i'] })
  placeInSpace(world, hullOf(world, players[0]), poi)
  const [module] = wreckModules(world, row)
  const [fitted, goods] = [modules(world, GUN), held(world, GUN)]
  const params = { wreck_id: wreckId(world, row), module_id: moduleId(world, module) }
  expect(small.act(players[0], 'loot_wreck', params).ok).toBe(true)
  expect([modules(world, GUN), held(world, GUN)]).toEqual([fitted - 1, goods + 1])
  expect(unitsIn(world, namedContainer('fitted'), GUN)).toBeLessThan(0)
})

test('goods that are jettisoned and looted are all recovered', async () => {
  const { scene } = await openStage()
  const { world, small, players, poi } = scene
  for (const player of players) placeInSpace(world, hullOf(world, player), poi)
  expect(small.act(players[0], 'jettison', { item_id: 'iron_ore', quantity: 5 }).ok).toBe(true)
  const [row] = containersAt(world, poi)
  const wreck_id = containerId(world, row)
  expect(small.act(players[1], 'loot_wreck', { wreck_id }).ok).toBe(true)
  expect(held(world, ORE)).toBeGreaterThanOrEqual(10)
})
