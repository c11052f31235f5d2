/**
 * What battles do to pilots besides the exchange of fire: respawn after a loss, ships left without
 * a pilot, emergency warp and cloak.
 */
import { assert } from '../../core/assert.ts'
import { EMPIRES, itemIndex, STARTER, shipClassIndex } from '../../core/catalog/index.ts'
import { fail } from '../../core/errors.ts'
import { emit } from '../../core/event.ts'
import { addToList } from '../../core/groups.ts'
import { answerLater, pendingOf, resumePending } from '../../core/pending.ts'
import { hash32, hashText } from '../../core/rng.ts'
import type { Eid, World, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { capitalOf } from '../base/model.ts'
import { replaceIssue } from '../fitting/rules.ts'
import { fleetOf, ridersOf } from '../fleet/model.ts'
import { endRide, notifyFleet } from '../fleet/rules.ts'
import { enforceLaw } from '../law/rules.ts'
import { dropTow } from '../salvage/tow-rules.ts'
import { seePlayer } from '../sensing/model.ts'
import { setCloak } from '../sensing/rules.ts'
import { activeShip, modulesOf, moduleTypeOf, shipClassOf, shipId } from '../ship/model.ts'
import { createShip, recompute, unfitModule } from '../ship/rules.ts'
import { Ship } from '../ship/state.ts'
import { neighboursOf, playersIn, poiId, systemId } from '../travel/model.ts'
import { dockingRefusal, dockShip, placeInSpace } from '../travel/rules.ts'
import { Location, Poi, StarSystem } from '../travel/state.ts'
import { combatantOf, isFighting, publicIdentity } from './model.ts'
import { pilotlessShip } from './schemas.ts'
import { CLOAKED, Participant, PILOTLESS, PlayerCombat } from './state.ts'

/* Pilotless ships: braced in space for a while. Source: combat.md section 15, spec, States. */

const PILOTLESS_TICKS = 30

/** Marks a player's ship as pilotless after their last connection ended, if they are fighting. */
export function markPilotless(world: World, player: Eid): void {
  if (!isFighting(world, player)) return
  world.write(PlayerCombat).pilotlessUntil[player] = world.tick + PILOTLESS_TICKS
  world.index(PILOTLESS).add(player)
  const row = combatantOf(world, player)
  if (row !== 0) {
    const part = world.write(Participant)
    part.pilotless[row] = 1
    part.orderTick[row] = 0
  }
  notifyPilotless(world, player)
}

function notifyPilotless(world: World, player: Eid): void {
  if (seePlayer(world, 0, player) === 'nothing') return
  const ship = activeShip(world, player)
  const { poi, system } = world.read(Location)
  const isKnown = poi[ship] !== 0 && world.read(Poi).hidden[poi[ship]] === 0
  const { id, name } = publicIdentity(world, player, ship)
  const payload = {
    player_id: id,
    player_username: name,
    ship_id: shipId(world, ship),
    ship_class: shipClassOf(world, ship).id,
    system_id: systemId(world, system[ship]),
    poi_id: isKnown ? poiId(world, poi[ship]) : '',
    expire_tick: world.tick + PILOTLESS_TICKS,
    ticks_remaining: PILOTLESS_TICKS,
  }
  emit(world, pilotlessShip, payload, { kind: 'players', rows: playersIn(world, system[ship]) })
}

/** What a player is sent on return to a ship that was pilotless. */
interface Reconnected {
  readonly message: string
  readonly was_pilotless: true
  readonly ticks_remaining: number
}

/** Gives a connecting player control of their ship again; undefined if it was not pilotless. */
export function resumeControl(world: World, player: Eid): Reconnected | undefined {
  const row = combatantOf(world, player)
  if (row !== 0) world.write(Participant).pilotless[row] = 0
  const until = world.read(PlayerCombat).pilotlessUntil[player]
  if (until === 0) return undefined
  forgetPilotless(world, player)
  return {
    message: 'You are back at the controls of your ship.',
    was_pilotless: true,
    ticks_remaining: Math.max(0, until - world.tick),
  }
}

/** Ends the wait: the pilot is back, the ship is gone, or the time is over. */
export function forgetPilotless(world: World, player: Eid): void {
  world.write(PlayerCombat).pilotlessUntil[player] = 0
  world.index(PILOTLESS).delete(player)
}

/* Respawn. Source: combat.md section 16. */

/** Returns the home base, if the player has paid and may dock there, else the origin's capital. */
function respawnBase(view: WorldView, player: Eid, isPaid: boolean): Eid {
  const { homeBase, empire } = view.read(Player)
  const home = homeBase[player]
  if (isPaid && home !== 0 && !dockingRefusal(view, player, home)) return home
  return capitalOf(view, empire[player])
}

/**
 * Gives a player who has lost their ship a new issue ship, docked at home; returns the base. A
 * pending action is dropped: it was for the lost ship. The caller releases the old hull.
 */
export function respawn(world: World, player: Eid, isPaid = true): Eid {
  for (const rider of ridersOf(world, player)) loseRide(world, rider)
  endRide(world, player)
  resumePending(world, player)
  forgetPilotless(world, player)
  const pending = pendingOf(world, player)
  // self_destruct gives its own answer
  if (pending && pending.command !== 'self_destruct') {
    answerLater(world, player, fail('combat_interrupt'))
  }
  const origin = EMPIRES[world.read(Player).empire[player]].id
  const kit = STARTER.find(({ empire }) => empire === origin) ?? STARTER[0]
  const base = respawnBase(world, player, isPaid)
  replaceIssue(world, player)
  const ship = createShip(world, {
    owner: player,
    shipClass: shipClassIndex(kit.ship_class),
    modules: kit.modules.map(itemIndex),
    issue: true,
  })
  world.write(Player).ship[player] = ship
  dockShip(world, ship, base)
  return base
}

/** Respawns a passenger whose carrier is lost. ours: they do not pay for a new body. */
export function loseRide(world: World, rider: Eid): void {
  const fleet = fleetOf(world, rider)
  respawn(world, rider)
  if (fleet === 0) return
  const message = 'The ship you rode in goes no further; you wake at home.'
  notifyFleet(world, fleet, { event: 'ride_lost', player: rider, message, to: [rider] })
}

/* Emergency warp and cloak. Source: combat.md section 8. */

const CLOAK_TICKS = 10
const DIRECTION = hashText('emergency warp')

/**
 * Moves a ship that is in no battle to the entry of a neighbouring system, drawn at random; the law
 * of that system applies at once.
 */
export function ejectShip(world: World, ship: Eid): void {
  const { seq, owner } = world.read(Ship)
  const neighbours = neighboursOf(world, world.read(Location).system[ship])
  assert(neighbours.length > 0, 'a system has no neighbour')
  const index = hash32(world.seed, world.tick, DIRECTION, seq[ship]) % neighbours.length
  const { to } = neighbours[index]
  placeInSpace(world, ship, world.read(StarSystem).entryPoi[to])
  if (owner[ship] !== 0) enforceLaw(world, owner[ship], to)
}

/** Warps a ship into a neighbouring system; that uses up its device and cancels its flight. */
export function warpAway(world: World, ship: Eid): void {
  dropTow(world, ship)
  const device = modulesOf(world, ship).find(
    (module) => moduleTypeOf(world, module).special === 'emergency_warp_stabilizer',
  )
  if (device !== undefined) {
    unfitModule(world, device)
    recompute(world, ship)
  }
  const player = world.read(Ship).owner[ship]
  if (player !== 0 && pendingOf(world, player)) answerLater(world, player, fail('combat_interrupt'))
  ejectShip(world, ship)
}

/** Hides the ship of a player for a while. ours: a tow line would reveal it, so it is dropped. */
export function hideShip(world: World, ship: Eid): void {
  const player = world.read(Ship).owner[ship]
  if (player === 0) return
  dropTow(world, ship)
  setCloak(world, player, true)
  const until = world.tick + CLOAK_TICKS
  world.write(PlayerCombat).cloakUntil[player] = until
  addToList(world.index(CLOAKED), until, player)
}

/** Fills the indexes of cloaked and pilotless players from their columns, after a restore. */
export function rebuildPilots(world: World): void {
  const cloaked = world.index(CLOAKED)
  const pilotless = world.index(PILOTLESS)
  cloaked.clear()
  pilotless.clear()
  const { cloakUntil, pilotlessUntil } = world.read(PlayerCombat)
  const { alive } = world.read(Player)
  for (let player = 1; player <= world.highOf(Player); player++) {
    if (alive[player] === 0) continue
    if (cloakUntil[player] !== 0) addToList(cloaked, cloakUntil[player], player)
    if (pilotlessUntil[player] !== 0) pilotless.add(player)
  }
}
