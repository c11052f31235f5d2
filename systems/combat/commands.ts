/** Fighting commands that take a tick: attack and reload. Orders in a battle are in orders.ts. */

import { GOODS } from '../../core/catalog/index.ts'
import { mutation } from '../../core/command.ts'
import { type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import {
  bools,
  choice,
  ints,
  itemId,
  obj,
  opt,
  optional,
  str,
  strings,
  Type,
} from '../../core/params.ts'
import { say } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/world.ts'
import { cargoUnits, findGood } from '../cargo/rules.ts'
import { logAction } from '../log/rules.ts'
import { Module } from '../ship/columns.ts'
import { activeShip, moduleById, moduleId, moduleTypeOf } from '../ship/rules.ts'
import { systemName, systemOf } from '../travel/rules.ts'
import { kindOf } from './battles.ts'
import { Participant, ZONES } from './columns.ts'
import { aggress, aggressStation } from './engage.ts'
import { IN_SPACE } from './in-space.ts'
import { cheapestFitting, fillMagazine, isSpare, suitsWeapon, takesAnything } from './magazine.ts'
import { findStation, findTarget } from './targets.ts'
import { battleId, combatantId, combatantName, pilotOf } from './views.ts'

/* Attack */

const docking = opt(bools('auto_docked', 'auto_undocked'))

const attackSchema = Type.Union([
  obj({
    ...{ action: choice('Always attack.', ['attack']), kind: choice('A player.', ['player']) },
    ...docking,
    ...strings('battle_id', 'message', 'system', 'target', 'your_zone'),
    ...ints('your_side'),
  }),
  obj({
    ...{ action: choice('Always attack.', ['attack']), kind: choice('Anybody else.', ['npc']) },
    ...docking,
    ...strings('target', 'target_name', 'target_type', 'battle_id', 'message', 'your_zone'),
    ...ints('your_side'),
    ...opt(strings('warning')),
  }),
])

/** What the attacker hears of it. */
function attackResult(world: World, player: Eid, row: Row) {
  const { battle, side, ring, target, guns } = world.read(Participant)
  const enemy = target[row]
  const name = combatantName(world, enemy)
  const head = {
    action: 'attack' as const,
    battle_id: battleId(world, battle[row]),
    target: combatantId(world, enemy),
    your_side: side[row],
    your_zone: ZONES[ring[row]],
    message: `You attack ${name || 'an unknown ship'}.`,
  }
  if (pilotOf(world, enemy) !== 0) {
    return { ...head, kind: 'player' as const, system: systemName(world, systemOf(world, player)) }
  }
  const warning = guns[row] === 0 ? { warning: 'No weapon is fitted to your ship.' } : {}
  const type = kindOf(world, enemy)
  return { ...head, kind: 'npc' as const, target_name: name, target_type: type, ...warning }
}

/** Attacks a ship or a station by its id. */
function attackAny(world: World, player: Eid, id: string): Outcome<Row> {
  const ship = activeShip(world, player)
  const base = findStation(world, player, id)
  if (base !== 0) return aggressStation(world, ship, base)
  const target = findTarget(world, player, id)
  return target.ok ? aggress(world, ship, target.result) : target
}

export const attack = mutation({
  name: 'attack',
  v2: { tool: 'game', action: 'attack', rename: { target_id: 'id' } },
  summary:
    'Attack a ship or a station of your system: opens a battle, or draws both into the one there is.',
  category: 'combat',
  order: 'attack',
  inBattle: true,
  params: obj({
    target_id: str('A player by id or name, a ship of the server or a station by its id.', {
      min: 1,
    }),
  }),
  result: attackSchema,
  needs: [IN_SPACE],
  changes: ['player', 'ship', 'cargo', 'location', 'queue', 'skills'],
  errors: [
    'in_transit',
    'invalid_target',
    'target_cloaked',
    'protected',
    'target_wrecked',
    'limit_reached',
  ],
  run(world, player, { target_id }) {
    const done = attackAny(world, player, target_id)
    if (!done.ok) return done
    const result = attackResult(world, player, done.result)
    logAction(world, player, 'combat', 'attack', result.message, { battle_id: result.battle_id })
    return ok(result)
  },
})

/* Reload */

const reloadSchema = obj({
  ...strings('action', 'ammo_id', 'ammo_name', 'weapon_id', 'weapon_name'),
  ...ints('current_ammo', 'magazine_size'),
  ...opt(strings('previous_ammo')),
  ...opt(ints('rounds_discarded')),
})

/** The good to load, or why none. Refusals: no_ammo, wrong_ammo, magazine_full. */
function chooseAmmo(
  view: WorldView,
  player: Eid,
  module: Row,
  asked: string | undefined,
): Outcome<number> {
  const ship = activeShip(view, player)
  const weapon = moduleTypeOf(view, module)
  const found = asked === undefined ? cheapestFitting(view, ship, module) : namedGood(asked)
  const aboard = found < 0 ? 0 : cargoUnits(view, ship, found)
  if (found >= 0 && asked !== undefined && !(suitsWeapon(weapon, found) && isSpare(found))) {
    return fail('wrong_ammo', { ammo_type: weapon.ammo_type ?? 'anything' })
  }
  const { ammo, ammoType } = view.read(Module)
  const isFull = ammo[module] >= (weapon.magazine_size ?? 0)
  if (isFull && (found < 0 || ammoType[module] === found + 1)) return fail('magazine_full')
  return aboard === 0 ? fail('no_ammo', { ammo_type: weapon.ammo_type ?? 'anything' }) : ok(found)
}

function namedGood(text: string): number {
  const found = findGood(text)
  return found.ok ? found.result : -1
}

/** A weapon of the player's ship that takes ammunition. Refusals: invalid_weapon, no_ammo_needed. */
function findWeapon(view: WorldView, player: Eid, id: string): Row | Failure {
  const module = moduleById(view, activeShip(view, player), id)
  if (module === 0 || moduleTypeOf(view, module).slot !== 'weapon') return fail('invalid_weapon')
  const weapon = moduleTypeOf(view, module)
  const isFed = weapon.ammo_type !== undefined || takesAnything(weapon)
  return isFed ? module : fail('no_ammo_needed')
}

export const reload = mutation({
  name: 'reload',
  v2: {
    tool: 'game_battle',
    action: 'reload',
    rename: { weapon_instance_id: 'id', ammo_item_id: 'target' },
  },
  summary: 'Fill the magazine of a weapon from the hold; what else was loaded is thrown away.',
  category: 'combat',
  order: 'plain',
  inBattle: true,
  adrift: true,
  uninterrupted: true,
  params: obj({
    weapon_instance_id: str(say`Id of a fitted weapon, as {get_ship} lists it.`, { min: 1 }),
    ammo_item_id: optional(
      itemId('Ammunition; the kind that is loaded, else the cheapest aboard.'),
    ),
  }),
  result: reloadSchema,
  needs: [],
  changes: ['ship', 'modules', 'cargo'],
  errors: [
    'in_transit',
    'invalid_weapon',
    'no_ammo_needed',
    'no_ammo',
    'wrong_ammo',
    'magazine_full',
  ],
  run(world, player, { weapon_instance_id, ammo_item_id }) {
    const module = findWeapon(world, player, weapon_instance_id)
    if (typeof module !== 'number') return module
    const chosen = chooseAmmo(world, player, module, ammo_item_id)
    if (!chosen.ok) return chosen
    return ok(load(world, player, module, chosen.result))
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
  const said = `Loaded ${weapon.name} with ${name}.`
  logAction(world, player, 'combat', 'reload', said, { ammo_id: id, magazine_size: size })
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
