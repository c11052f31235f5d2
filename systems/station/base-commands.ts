/**
 * Founding stations and outposts, dismantling outposts, and what founding costs. Source:
 * crafting.md section 8.
 */
import { type MutationDef, mutation, query } from '../../core/command.ts'
import { type ErrorCode, fail, ok } from '../../core/errors.ts'
import { namedContainer } from '../../core/goods.ts'
import { tablesReferringTo } from '../../core/invariants.ts'
import { bool, NO_PARAMS, obj, optional, words } from '../../core/params.ts'
import { counted, say, withArticle } from '../../core/say.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { Player } from '../account/state.ts'
import { baseId, baseName } from '../base/model.ts'
import { Base } from '../base/state.ts'
import { inBattle } from '../combat/model.ts'
import { isWorkedOn } from '../facility/model.ts'
import { Facility } from '../facility/state.ts'
import { factionOf, needPermission, permissionRefusal } from '../faction/model.ts'
import { notifyFaction } from '../faction/rules.ts'
import { storesAt } from '../faction/store-model.ts'
import { convoyOf, ownMoveRefusal } from '../fleet/model.ts'
import { isAwaitedAt } from '../freight/model.ts'
import { logAction } from '../log/rules.ts'
import { reserveOf } from '../personnel/model.ts'
import { activeShip, loadCargo, unitsThatFit } from '../ship/model.ts'
import { Ship } from '../ship/state.ts'
import { stationShipOf } from '../siege/model.ts'
import { dockedBase, inTransit, poiOf, shipOf } from '../travel/location-model.ts'
import { poiId, shipsAt, systemId } from '../travel/model.ts'
import { DOCKED, dockHere, UNDOCKED } from '../travel/needs.ts'
import { dockShip, placeInSpace } from '../travel/rules.ts'
import { Location, Poi } from '../travel/state.ts'
import {
  type BaseBlueprint,
  foundBase,
  OUTPOST_BLUEPRINT,
  planFounding,
  removeBase,
  STATION_BLUEPRINT,
} from './found-commands.ts'
import { isOutpost, ownerOfBase } from './model.ts'
import { nameFor } from './rules.ts'
import { costSchema, dismantledSchema, foundedSchema, nameParam } from './schemas.ts'
import { OUTPOSTS_PER_FACTION_MAX, PLAYER_POIS_PER_SYSTEM_MAX } from './state.ts'

const CHANGES: MutationDef['changes'] = ['player', 'cargo', 'location']

/* Founding */

/** Moves the founder and their convoy to a new base, and docks those that it admits. */
function dockFounders(world: World, player: Eid, base: Eid): void {
  const poi = world.read(Base).poi[base]
  const pilots = [player, ...convoyOf(world, player)]
  if (poiOf(world, player) !== poi) {
    for (const pilot of pilots) placeInSpace(world, shipOf(world, pilot), poi)
  }
  // A convoy with strangers is not admitted as a whole: the founder docks alone.
  if (typeof dockHere(world, player, 'no_base') !== 'number') {
    dockShip(world, shipOf(world, player), base)
  }
}

const HINT_STATION = say`{facility faction_build} a faction_lockbox here first, then a solar_wing for power and an air_plant, then services: {facility types} with category service lists them. {get_base} shows those that work.`
const HINT_OUTPOST = say`Its store and bunker are open to members; it has no upkeep. {dismantle_outpost} packs it up.`

/** Founds a base, docks the founder there and notifies their faction. */
function establish<E extends ErrorCode>(
  world: World,
  player: Eid,
  blueprint: BaseBlueprint<E>,
  settings: { readonly name: string; readonly isOpen: boolean },
) {
  const name = nameFor(world, settings.name)
  if (typeof name !== 'string') return name
  const shares = ownMoveRefusal(world, player) ?? planFounding(world, player, blueprint)
  if ('code' in shares) return shares
  const base = foundBase(world, player, blueprint, { ...settings, name, shares })
  dockFounders(world, player, base)
  const poi = world.read(Base).poi[base]
  const kind = blueprint.isOutpost ? 'outpost' : 'station'
  const message = `${usernameOf(world, player)} has founded the ${kind} ${name}.`
  const details = { base_id: baseId(world, base), credits: blueprint.feeCredits }
  const faction = factionOf(world, player)
  notifyFaction(world, faction, { event: 'base_founded', actor: player, message, details })
  logAction(world, player, 'faction', 'base_founded', message, { base_id: baseId(world, base) })
  return ok({
    base_id: baseId(world, base),
    poi_id: poiId(world, poi),
    system_id: systemId(world, world.read(Poi).system[poi]),
    name,
    public_access: settings.isOpen,
    fee_paid: blueprint.feeCredits,
    hint: blueprint.isOutpost ? HINT_OUTPOST : HINT_STATION,
  })
}

const FOUNDING = {
  category: 'facility',
  order: 'plain',
  needs: [needPermission('manage_bases'), UNDOCKED],
  changes: CHANGES,
  result: foundedSchema,
} as const

const FOUNDING_ERRORS = [
  'invalid_name',
  'name_taken',
  'not_lawless',
  'invalid_poi',
  'base_exists',
  'limit_reached',
  'missing_core',
  'no_credits',
] as const

export const buildBase = mutation({
  ...FOUNDING,
  name: 'build_base',
  v2: { tool: 'game_facility', action: 'found_station' },
  summary: 'Found a station of your faction beside this place, out of a station core.',
  params: obj({
    name: nameParam(),
    public_access: optional(bool('Everybody may dock; members only by default.')),
  }),
  errors: [...FOUNDING_ERRORS, 'system_occupied'],
  run: (world, player, { name, public_access = false }) =>
    establish(world, player, STATION_BLUEPRINT, { name, isOpen: public_access }),
})

export const buildOutpost = mutation({
  ...FOUNDING,
  name: 'build_outpost',
  v2: { tool: 'game_facility', action: 'deploy_outpost' },
  summary: 'Set up an outpost of your faction beside this place: a store and a bunker for members.',
  params: obj({ name: nameParam() }),
  errors: FOUNDING_ERRORS,
  run: (world, player, { name }) =>
    establish(world, player, OUTPOST_BLUEPRINT, { name, isOpen: false }),
})

/* Dismantling */

const PEOPLE_STAY = say`Crew or marines of your faction are in reserve here; {faction_personnel} with {faction_personnel.action} withdraw takes them out first.`
const STILL_USED =
  'Somebody’s storage, a player ashore, a prize, a mission or a package still depends on this ' +
  'outpost; wait until none does.'

/** Tables whose references to a base its removal clears. */
const CLEARED: ReadonlySet<string> = new Set([Facility, Location, Poi].map(({ name }) => name))

/** Returns whether anything but the place, its facilities and the ships there refers to a base. */
const isReferredTo = (world: World, base: Eid): boolean =>
  tablesReferringTo(world, Base, base).some((table) => !CLEARED.has(table))

/** Returns whether the faction keeps people in reserve at a base. */
const hasReserve = (view: WorldView, faction: Row, base: Eid): boolean =>
  Object.values(reserveOf(view, faction, base)).some((people) => people > 0)

/** Returns whether a ship that nobody flies is at a base: in the garage, or stored. */
function hasParkedShip(view: WorldView, base: Eid): boolean {
  const { ship: flown } = view.read(Player)
  const { owner } = view.read(Ship)
  const { base: baseOf } = view.read(Location)
  return shipsAt(view, view.read(Base).poi[base]).some(
    (ship) => baseOf[ship] === base && (owner[ship] === 0 || flown[owner[ship]] !== ship),
  )
}

/**
 * Refuses to dismantle an outpost: not_an_outpost, not_your_base, no_permission,
 * station_under_attack, facility_busy, storage_not_empty, no_cargo_space.
 */
function dismantlingRefusal(world: World, player: Eid, base: Eid) {
  const faction = factionOf(world, player)
  const owner = ownerOfBase(world, base)
  if (owner === 0) return fail('not_an_outpost')
  if (owner !== faction) return fail('not_your_base')
  const denied = permissionRefusal(world, player, 'manage_bases')
  if (denied) return denied
  if (!isOutpost(world, base)) return fail('not_an_outpost')
  if (stationShipOf(world, base) !== 0) return fail('station_under_attack')
  if (isWorkedOn(world, base)) return fail('facility_busy')
  const isStocked = storesAt(world, faction, base).length > 0 || hasParkedShip(world, base)
  if (isStocked) return fail('storage_not_empty')
  if (hasReserve(world, faction, base)) return fail('storage_not_empty', {}, PEOPLE_STAY)
  if (isAwaitedAt(world, base) || isReferredTo(world, base)) {
    return fail('storage_not_empty', {}, STILL_USED)
  }
  const room = unitsThatFit(world, activeShip(world, player), OUTPOST_BLUEPRINT.item)
  return room < 1 ? fail('no_cargo_space', { item_id: OUTPOST_BLUEPRINT.itemId }) : undefined
}

export const dismantleOutpost = mutation({
  name: 'dismantle_outpost',
  v2: { tool: 'game_facility', action: 'dismantle_outpost' },
  summary: 'Take down the empty outpost where you are docked; its kit comes aboard.',
  category: 'facility',
  order: 'plain',
  needs: [DOCKED],
  changes: CHANGES,
  params: NO_PARAMS,
  result: dismantledSchema,
  errors: words(
    'not_in_faction no_permission not_your_base not_an_outpost storage_not_empty facility_busy',
    'no_cargo_space station_under_attack',
  ),
  run(world, player) {
    const base = dockedBase(world, player)
    const refused = dismantlingRefusal(world, player, base)
    if (refused) return refused
    const { item, itemId } = OUTPOST_BLUEPRINT
    const [id, name, faction] = [
      baseId(world, base),
      baseName(world, base),
      factionOf(world, player),
    ]
    removeBase(world, base)
    loadCargo(world, activeShip(world, player), namedContainer('construction'), item, 1)
    const message = `${usernameOf(world, player)} has taken down the outpost ${name}.`
    const details = { base_id: id, item_id: itemId, quantity: 1 }
    notifyFaction(world, faction, {
      event: 'base_dismantled',
      actor: player,
      message,
      details,
    })
    logAction(world, player, 'faction', 'base_dismantled', message, { base_id: id })
    return ok({
      base_id: id,
      name,
      kit_item: itemId,
      kit_refunded: true,
      fee_refunded: 0,
      hint: 'The kit is in your hold; the place stays and can be built on again.',
    })
  },
})

/* Cost */

/** Returns why a station cannot be founded here now; undefined where it can. */
const foundingRefusal = (view: WorldView, player: Eid) => {
  const denied =
    permissionRefusal(view, player, 'manage_bases') ??
    inTransit(view, player) ??
    (inBattle(view, player) ? fail('in_combat') : undefined) ??
    ownMoveRefusal(view, player)
  if (denied) return denied
  const plan = planFounding(view, player, STATION_BLUEPRINT)
  return 'code' in plan ? plan : undefined
}

export const getBaseCost = query({
  name: 'get_base_cost',
  v2: { tool: 'game_facility', action: 'base_cost' },
  summary: 'What a station of your faction costs and takes, and whether one may be founded here.',
  category: 'facility',
  params: NO_PARAMS,
  result: costSchema,
  needs: [],
  errors: [],
  run(view, player) {
    const { feeCredits, itemId, perFactionMax } = STATION_BLUEPRINT
    const refused = foundingRefusal(view, player)
    return ok({
      founding_fee: feeCredits,
      station_core_item: itemId,
      max_per_faction: perFactionMax,
      eligible_here: refused === undefined,
      ...(refused === undefined ? {} : { reason: `${refused.code}: ${refused.message}` }),
      requirements:
        `A role with manage_bases; ${withArticle(itemId)} in the hold; ` +
        `${counted(feeCredits, 'credit')} from the treasury if your role has manage_treasury, ` +
        'the rest from your wallet; a place that has no base and is neither a sun nor the mouth ' +
        'of a wormhole, in a system with no empire, no police, no station and fewer than ' +
        `${PLAYER_POIS_PER_SYSTEM_MAX} places made by players, or at one of its empty moorings. ` +
        `An outpost takes ${withArticle(OUTPOST_BLUEPRINT.itemId)} and ` +
        `${counted(OUTPOST_BLUEPRINT.feeCredits, 'credit')}; ` +
        `a faction may have ${OUTPOSTS_PER_FACTION_MAX}, also in systems with a station.`,
    })
  },
})
