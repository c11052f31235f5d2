/** `reload`: one weapon, or up to fifty in one tick. Source: combat.md section 7, newer.md 5. */
import { GOODS } from '../../core/catalog/index.ts'
import { mutation } from '../../core/command.ts'
import { type Failure, fail, invalidFields, type Outcome, ok } from '../../core/errors.ts'
import { LIST_ROWS_MAX } from '../../core/limits.ts'
import {
  bools,
  choice,
  ints,
  itemId,
  list,
  obj,
  opt,
  optional,
  type Static,
  str,
  strings,
  Type,
  words,
} from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { findGood } from '../cargo/model.ts'
import { logAction } from '../log/rules.ts'
import { activeShip, cargoUnits, moduleById, moduleId, moduleTypeOf } from '../ship/model.ts'
import { Module } from '../ship/state.ts'
import { defaultAmmo, fillMagazine, mayBeFired, suitsWeapon, takesAnything } from './fit-rules.ts'

const loadedSchema = obj({
  ...strings('action', 'ammo_id', 'ammo_name', 'weapon_id', 'weapon_name'),
  ...ints('current_ammo', 'magazine_size'),
  ...opt(strings('previous_ammo')),
  ...opt(ints('rounds_discarded')),
})

const batchSchema = obj({
  ...strings('action', 'message'),
  mode: choice('Always bulk.', ['bulk']),
  summary: obj(ints('total', 'succeeded', 'failed')),
  results: list(
    obj({
      ...ints('index'),
      ...bools('success'),
      ...strings('weapon_id'),
      ...opt({ ...strings('error', 'error_code'), result: loadedSchema }),
    }),
  ),
})

/** Chooses the good to load, the one named or the one that suits best. */
function chooseAmmo(
  view: WorldView,
  player: Eid,
  module: Row,
  name: string | undefined,
): Outcome<number, 'magazine_full' | 'no_ammo' | 'wrong_ammo'> {
  const ship = activeShip(view, player)
  const weapon = moduleTypeOf(view, module)
  const ammo_type = weapon.ammo_type ?? 'anything'
  const item = name === undefined ? defaultAmmo(view, ship, module) : namedGood(name)
  if (item >= 0 && name !== undefined && !(suitsWeapon(weapon, item) && mayBeFired(item))) {
    return fail('wrong_ammo', { ammo_type })
  }
  const { ammo, ammoType } = view.read(Module)
  const isFull = ammo[module] >= (weapon.magazine_size ?? 0)
  if (isFull && (item < 0 || ammoType[module] === item + 1)) return fail('magazine_full')
  const isAboard = item >= 0 && cargoUnits(view, ship, item) > 0
  return isAboard ? ok(item) : fail('no_ammo', { ammo_type })
}

/** Returns a good by id or name; -1 if there is none. */
function namedGood(text: string): number {
  const good = findGood(text)
  return good.ok ? good.result : -1
}

/**
 * Returns a weapon of the player's ship that takes ammunition. Refusals: invalid_weapon,
 * no_ammo_needed.
 */
function findWeapon(
  view: WorldView,
  player: Eid,
  id: string,
): Row | Failure<'invalid_weapon' | 'no_ammo_needed'> {
  const module = moduleById(view, activeShip(view, player), id)
  if (module === 0 || moduleTypeOf(view, module).slot !== 'weapon') return fail('invalid_weapon')
  const weapon = moduleTypeOf(view, module)
  const isFed = weapon.ammo_type !== undefined || takesAnything(weapon)
  return isFed ? module : fail('no_ammo_needed')
}

const weaponId = () => str(say`Id of a fitted weapon, as {get_ship} lists it.`, { min: 1 })
const ammoItem = () =>
  optional(itemId('Ammunition; the kind that is loaded, else the cheapest aboard.'))
const rowSchema = obj({ weapon_instance_id: weaponId(), ammo_item_id: ammoItem() })
type ReloadRow = Static<typeof rowSchema>

/** Fills the magazine of one weapon, or refuses and changes nothing. */
function reloadOne(world: World, player: Eid, row: ReloadRow) {
  const module = findWeapon(world, player, row.weapon_instance_id)
  if (typeof module !== 'number') return module
  const chosen = chooseAmmo(world, player, module, row.ammo_item_id)
  return chosen.ok ? ok(load(world, player, module, chosen.result)) : chosen
}

/** Loads or refuses each row on its own, in the order given. */
function reloadAll(world: World, player: Eid, weapons: readonly ReloadRow[]) {
  const results = weapons.map((row, index) => {
    const head = { index, weapon_id: row.weapon_instance_id }
    const done = reloadOne(world, player, row)
    return done.ok
      ? { ...head, success: true, result: done.result }
      : { ...head, success: false, error: done.message, error_code: done.code }
  })
  const total = results.length
  const succeeded = results.filter(({ success }) => success).length
  return {
    action: 'reload',
    mode: 'bulk' as const,
    message: `Loaded ${succeeded} of ${total} weapons.`,
    summary: { total, succeeded, failed: total - succeeded },
    results,
  }
}

export const reload = mutation({
  name: 'reload',
  v2: {
    tool: 'game_battle',
    action: 'reload',
    rename: { weapon_instance_id: 'id', ammo_item_id: 'target' },
  },
  summary:
    'Fill the magazine of one weapon or several in one tick; other ammunition in it is lost.',
  category: 'combat',
  order: 'plain',
  inBattle: true,
  adrift: true,
  uninterrupted: true,
  params: obj({
    weapon_instance_id: optional(weaponId()),
    ammo_item_id: ammoItem(),
    weapons: optional(
      Type.Array(rowSchema, {
        description: 'Several weapons in one tick, instead of the fields of one.',
        minItems: 1,
        maxItems: LIST_ROWS_MAX,
      }),
    ),
  }),
  result: Type.Union([loadedSchema, batchSchema]),
  needs: [],
  changes: ['ship', 'modules', 'cargo'],
  errors: words(
    'in_transit invalid_weapon no_ammo_needed no_ammo wrong_ammo magazine_full invalid_payload',
  ),
  run(world, player, { weapon_instance_id, ammo_item_id, weapons }) {
    if (weapons !== undefined) {
      if (weapon_instance_id === undefined && ammo_item_id === undefined) {
        return ok(reloadAll(world, player, weapons))
      }
      const field = weapon_instance_id === undefined ? 'ammo_item_id' : 'weapon_instance_id'
      return invalidFields({ field, expected: 'absent where weapons is given' })
    }
    if (weapon_instance_id === undefined) {
      return invalidFields({
        field: 'weapon_instance_id',
        expected: 'the id of a weapon, or weapons',
      })
    }
    return reloadOne(world, player, { weapon_instance_id, ammo_item_id })
  },
})

function load(world: World, player: Eid, module: Row, item: number) {
  const { ammo, ammoType } = world.read(Module)
  const weapon = moduleTypeOf(world, module)
  const size = weapon.magazine_size ?? 0
  const before = ammoType[module] - 1
  const discarded = before >= 0 && before !== item ? ammo[module] : 0
  fillMagazine(world, activeShip(world, player), module, item)
  const { id, name } = GOODS[item]
  const message = `Loaded ${weapon.name} with ${name}.`
  logAction(world, player, 'combat', 'reload', message, { ammo_id: id, magazine_size: size })
  return {
    action: 'reload',
    ammo_id: id,
    ammo_name: name,
    current_ammo: size,
    magazine_size: size,
    weapon_id: moduleId(world, module),
    weapon_name: weapon.name,
    ...(before >= 0 ? { previous_ammo: GOODS[before].id } : {}),
    ...(discarded > 0 ? { rounds_discarded: discarded } : {}),
  }
}
