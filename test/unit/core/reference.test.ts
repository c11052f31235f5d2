/** References in parameters by id or shown name, except to hidden things. newer.md section 2. */
import { beforeAll, describe, expect, test } from 'vitest'
import { FACILITIES, GOODS, itemIndex, RECIPES, SHIP_CLASSES } from '../../../core/catalog/index.ts'
import { type CommandDef, commandKey } from '../../../core/command.ts'
import { CANDIDATES_MAX } from '../../../core/limits.ts'
import { REFERS, type Reference, readReferences } from '../../../core/reference.ts'
import type { Eid } from '../../../core/types.ts'
import { baseId, baseName } from '../../../systems/base/model.ts'
import { seesPoi } from '../../../systems/sensing/model.ts'
import { reveal } from '../../../systems/sensing/rules.ts'
import { shipId } from '../../../systems/ship/model.ts'
import { Ship } from '../../../systems/ship/state.ts'
import { dockedBase, poiOf, shipOf, systemOf } from '../../../systems/travel/location-model.ts'
import { poiId, poiName, poisOf, systemId, systemName } from '../../../systems/travel/model.ts'
import { Poi } from '../../../systems/travel/state.ts'
import { type SmallWorld, smallWorld } from '../../small-world.ts'

let small: SmallWorld
let pilot: Eid

beforeAll(async () => {
  small = await smallWorld({ players: 2 })
  pilot = small.players[0]
})

const resultOf = (outcome: unknown) => (outcome as { result: Record<string, unknown> }).result

/* Every command */

interface Part {
  readonly [REFERS]?: Reference
  readonly type?: string
  readonly enum?: readonly string[]
  readonly properties?: Readonly<Record<string, Part>>
  readonly items?: Part
}
interface Leaf {
  readonly def: CommandDef
  readonly path: readonly string[]
  readonly part: Part
}

/** Returns text parameters at any depth; `*` stands for a row of a list. */
function leaves(def: CommandDef, part: Part, path: readonly string[] = []): Leaf[] {
  if (part.properties)
    return Object.entries(part.properties).flatMap(([name, inner]) =>
      leaves(def, inner, [...path, name]),
    )
  if (part.items) return leaves(def, part.items, [...path, '*'])
  return part.type === 'string' && !part.enum ? [{ def, path, part }] : []
}

const allLeaves = (): Leaf[] =>
  [...small.registry.commands.values()].flatMap((def) => leaves(def, def.params as Part))
const nameOf = ({ path }: Leaf): string => path.filter((step) => step !== '*').at(-1) ?? ''
const addressOf = (leaf: Leaf): string => `${commandKey(leaf.def)} ${leaf.path.join('.')}`

/** What a parameter of that name always means. */
const MEANT_BY_NAME: Readonly<Record<string, string>> = {
  item_id: 'item',
  ammo_item_id: 'item',
  resource_type: 'item',
  module_id: 'module',
  target_poi: 'place_here',
  poi_id: 'place',
  system_id: 'system',
  target_system: 'system',
  base_id: 'base',
  station_id: 'base',
  destination_base_id: 'base',
  destination: 'base',
  target_base_id: 'base',
  filter_destination: 'base',
  ship_id: 'own_ship',
  ship_class: 'ship_class',
  class_id: 'ship_class',
  facility_type: 'facility_type',
  recipe_id: 'recipe',
  empire_id: 'empire',
  faction_id: 'faction',
  faction: 'faction',
  target_faction_id: 'faction',
  source_faction_id: 'faction',
}
/** Reports in which members may write any text; they are tested elsewhere. */
const FREE_TEXTS = /^faction_submit_intel systems\.\*\.(connections|pois)\./

/** Returns a shown name of each kind and its id. */
function sampleOf(kind: string): readonly [string, string] {
  const { world } = small
  const poi = poiOf(world, pilot)
  const base = world.read(Poi).base[poi]
  const system = systemOf(world, pilot)
  const samples: Readonly<Record<string, readonly [string, string]>> = {
    item: ['  iron ORE', 'iron_ore'],
    module: [GOODS[itemIndex('scanner_i')].name, 'scanner_i'],
    ship_class: [SHIP_CLASSES[0].name, SHIP_CLASSES[0].id],
    recipe: [RECIPES[0].name, RECIPES[0].id],
    facility_type: [FACILITIES[0].name, FACILITIES[0].id],
    empire: ['SOLARIAN', 'solarian'],
    system: [systemName(world, system), systemId(world, system)],
    place_here: [poiName(world, poi), poiId(world, poi)],
    place: [baseName(world, base), poiId(world, poi)],
    base: [poiId(world, poi), baseId(world, base)],
    own_ship: ['Old Reliable', shipId(world, shipOf(world, pilot))],
  }
  return samples[kind] ?? ['', '']
}

/** Returns parameters with one leaf set. */
const paramsWith = (path: readonly string[], value: unknown): unknown =>
  path.reduceRight<unknown>((inner, step) => (step === '*' ? [inner] : { [step]: inner }), value)

describe('every parameter', () => {
  test('that refers to a named thing is declared as a reference', () => {
    const wrong = allLeaves().filter((leaf) => {
      const kind = MEANT_BY_NAME[nameOf(leaf)]
      return (
        kind &&
        !FREE_TEXTS.test(addressOf(leaf)) &&
        !leaf.part[REFERS]?.kinds.includes(kind as never)
      )
    })
    expect(wrong.map(addressOf)).toEqual([])
  })

  test('takes the shown name for the id, at any depth', () => {
    small.world.setText(Ship, 'name', shipOf(small.world, pilot), 'Old Reliable')
    const referring = allLeaves().filter(({ part }) => part[REFERS])
    expect(referring.length).toBeGreaterThan(90)
    for (const leaf of referring) {
      for (const kind of leaf.part[REFERS]?.kinds ?? []) {
        const [name, id] = sampleOf(kind)
        if (name === '' || leaf.path.length === 0) continue
        const read = readReferences(small.world, small.registry.references, {
          def: leaf.def,
          player: pilot,
          params: paramsWith(leaf.path, name) as Record<string, unknown>,
        })
        const expected = paramsWith(leaf.path, id)
        if (kind === leaf.part[REFERS]?.kinds[0])
          expect(read, addressOf(leaf)).toMatchObject({ result: { params: expected } })
      }
    }
  })
})

/* Names in play */

describe('a name', () => {
  test('of a station or its place, like the id of that place, means the base there', () => {
    const { world } = small
    const base = dockedBase(world, pilot)
    const poi = poiOf(world, pilot)
    for (const station_id of [baseName(world, base), poiId(world, poi), poiName(world, poi)]) {
      const seen = small.ask(pilot, 'view_storage', { station_id })
      expect(resultOf(seen), station_id).toMatchObject({ base_id: baseId(world, base) })
    }
  })

  test('of several things is refused with its candidates, also in the message', () => {
    const refused = small.ask(pilot, 'estimate_purchase', { item_id: 'iron', quantity: 1 })
    expect(refused).toMatchObject({ ok: false, code: 'ambiguous_target' })
    const { details, message } = refused as unknown as {
      details: { candidates: { id: string; name: string }[]; has_more: boolean }
      message: string
    }
    expect(details.candidates.length).toBeGreaterThan(1)
    expect(details.candidates.length).toBeLessThanOrEqual(CANDIDATES_MAX)
    for (const { id, name } of details.candidates) expect(message).toContain(`${name} (${id})`)
    const tooShort = small.ask(pilot, 'estimate_purchase', { item_id: 'ir', quantity: 1 })
    expect(tooShort).toMatchObject({ code: 'unknown_item' })
    const prefix = small.ask(pilot, 'estimate_purchase', { item_id: 'iron o', quantity: 1 })
    expect(resultOf(prefix)).toMatchObject({ item: 'Iron Ore' })
  })

  test('of a hidden place is neither found nor offered until the place is revealed', () => {
    const { world } = small
    const rows = Array.from({ length: world.highOf(Poi) }, (_, i) => i + 1)
    const hidden = rows.find((poi) => world.read(Poi).hidden[poi] === 1) as Eid
    expect(seesPoi(world, pilot, hidden)).toBe(false)
    const name = poiName(world, hidden)
    const routeTo = (target_system: string) =>
      resultOf(small.ask(pilot, 'find_route', { target_system }))
    expect(routeTo(name)).toMatchObject({ found: false })
    const prefix = small.ask(pilot, 'find_route', { target_system: name.slice(0, -1) })
    expect(JSON.stringify(prefix)).not.toContain(poiId(world, hidden))
    reveal(world, pilot, [hidden])
    expect(routeTo(name)).toMatchObject({ found: true, target_poi: poiId(world, hidden) })
  })

  test('of a good means the recipes that make it', () => {
    const { outcome } = small.answer(small.players[0], 'craft', { recipe_id: 'Copper Wire' })
    expect(outcome).toMatchObject({
      ok: false,
      code: 'unknown_recipe',
      details: { recipes: ['draw_copper', 'strip_scorched_wiring'] },
    })
  })

  test('of a place in this system is a valid target of travel', () => {
    const { world } = small
    const there = poisOf(world, systemOf(world, pilot)).find(
      (poi) => poi !== poiOf(world, pilot) && seesPoi(world, pilot, poi),
    ) as Eid
    const flown = small.act(pilot, 'travel', { target_poi: poiName(world, there).toUpperCase() })
    expect(resultOf(flown)).toMatchObject({ poi_id: poiId(world, there) })
  })
})

describe('a command that its arguments alone make impossible', () => {
  test.each([
    ['travel', { target_poi: 'nowhere_at_all' }, 'invalid_poi'],
    ['jump', { target_system: 'nowhere_at_all' }, 'invalid_system'],
    ['attack', { target_id: 'nobody at all' }, 'invalid_target'],
    ['hunt', { target_id: 'nothing' }, 'invalid_target'],
    ['scan', { target_id: 'nobody at all' }, 'invalid_target'],
    ['tow_wreck', { wreck_id: 'nothing' }, 'wreck_not_found'],
    ['loot_wreck', { wreck_id: 'nothing' }, 'wreck_not_found'],
    ['deploy_drone', { drone_id: 'nothing' }, 'drone_not_found'],
    ['claim_prize', { prize_id: 'nothing', destination_base_id: 'nothing' }, 'station_not_found'],
  ])('%s is refused without undocking', (command, params, code) => {
    const docked = small.players[1]
    expect(dockedBase(small.world, docked)).not.toBe(0)
    const refused = small.answer(docked, command, params)
    expect(refused).toMatchObject({ outcome: { ok: false, code } })
    expect(refused.autoUndocked).toBeUndefined()
    expect(dockedBase(small.world, docked)).not.toBe(0)
  })

  test.each([
    ['buy', { item_id: 'nothing', quantity: 1 }, 'unknown_item'],
    ['craft', { recipe_id: 'nothing' }, 'unknown_recipe'],
    ['commission_ship', { ship_class: 'nothing' }, 'unknown_class'],
    ['facility', { action: 'build', facility_type: 'nothing' }, 'unknown_facility_type'],
    ['facility', { action: 'build' }, 'invalid_payload'],
    ['install_mod', { module_id: 'nothing' }, 'module_not_found'],
    ['uninstall_mod', { module_id: 'nothing' }, 'module_not_found'],
    ['facility', { action: 'dismantle', facility_id: 'nothing' }, 'facility_not_found'],
    ['buy_listed_ship', { listing_id: 'nothing' }, 'listing_not_found'],
    ['sell_ship_to_order', { order_id: 'nothing', ship_id: 'nothing' }, 'order_not_found'],
    ['complete_mission', { mission_id: 'nothing' }, 'mission_not_found'],
    ['set_home_base', { base_id: 'nothing' }, 'wrong_station'],
    ['list_ship_for_sale', { ship_id: 'nothing', price: 1 }, 'ship_not_found'],
  ])('%s is refused without docking', (command, params, code) => {
    const flyer = small.players[1]
    if (dockedBase(small.world, flyer) !== 0) small.act(flyer, 'undock')
    const refused = small.answer(flyer, command, params)
    expect(refused).toMatchObject({ outcome: { ok: false, code } })
    expect(refused.autoDocked).toBeUndefined()
    expect(dockedBase(small.world, flyer)).toBe(0)
  })
})
