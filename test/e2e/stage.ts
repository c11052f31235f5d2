/** Prepares a world in which every event of the interface is about to happen. */
import { challengeById, itemIndex, shipClassIndex } from '../../core/catalog/index.ts'
import { namedContainer } from '../../core/goods.ts'
import type { Eid, World } from '../../core/types.ts'
import { playerById } from '../../systems/account/model.ts'
import { Player } from '../../systems/account/state.ts'
import { arenaOf } from '../../systems/arena/model.ts'
import { addMember, foundFaction } from '../../systems/faction/member-rules.ts'
import { changePeople } from '../../systems/personnel/rules.ts'
import { loadCargo } from '../../systems/ship/model.ts'
import { createShip, fitModule, recompute } from '../../systems/ship/rules.ts'
import { Ship } from '../../systems/ship/state.ts'
import { skillIndex } from '../../systems/skill/model.ts'
import { PlayerSkills, SKILLS_WIDTH } from '../../systems/skill/state.ts'
import { systemOf } from '../../systems/travel/location-model.ts'
import { poisOf } from '../../systems/travel/model.ts'
import { placeInSpace, removeFromMap } from '../../systems/travel/rules.ts'
import { POI_TYPES, Poi, StarSystem } from '../../systems/travel/state.ts'
import { lawlessSystem, open } from '../unit/combat/scene.ts'
import { leaveOnly, piratesIn } from '../unit/npc/scene.ts'

interface Outfit {
  readonly hull?: string
  readonly modules: readonly string[]
}

const outfit = (hull: string | undefined, ...modules: string[]): Outfit => ({ hull, modules })
const ARMED = ['blaster_ii', 'blaster_ii'] as const

/** The ship of each role. Without a hull, a role keeps its first ship, where it is. */
export const CAST = {
  medic: outfit(undefined, 'refueling_pump', 'repair_arm'),
  friend: outfit(undefined),
  miner: outfit(undefined),
  duelist: outfit('marauder', ...ARMED),
  prey: outfit('hornet'),
  scout: outfit('surveyor'),
  captor: outfit('reaver', 'marine_barracks', 'blaster_i'),
  owner: outfit('hornet'),
  hunter: outfit('marauder', ...ARMED, 'pirate_radio_receiver'),
  gladiator: outfit('hornet', 'blaster_i', 'blaster_i'),
  rival: outfit('hornet'),
} satisfies Record<string, Outfit>

export type Role = keyof typeof CAST

/** Equips and places the players of all roles, who are already registered. */
export function setStage(world: World, nameOf: (role: Role) => string): void {
  const players = new Map<Role, Eid>()
  for (const role of Object.keys(CAST) as Role[]) {
    const player = playerById(world, nameOf(role))
    if (!player) throw new Error(`${nameOf(role)} is not registered`)
    players.set(role, player)
    equip(world, player, CAST[role])
  }
  const playerOf = (role: Role): Eid => players.get(role) as Eid
  const shipOf = (role: Role): Eid => world.read(Player).ship[playerOf(role)]
  setStation(world, playerOf)
  setBelt(world, playerOf('miner'))
  setLawless(world, shipOf)
  setPirate(world, shipOf('hunter'))
  const challenge = challengeById('first_bout')
  if (!challenge) throw new Error('there is no first bout')
  const arena = arenaOf(world, challenge, 0)
  for (const role of ['gladiator', 'rival'] as const) placeInSpace(world, shipOf(role), arena)
  world.recycle()
}

/** Gives a player the ship of an outfit. */
function equip(world: World, player: Eid, { hull, modules }: Outfit): void {
  const old = world.read(Player).ship[player]
  if (hull === undefined) {
    for (const module of modules) fitModule(world, old, itemIndex(module))
    recompute(world, old)
    return
  }
  world.write(Player).ship[player] = createShip(world, {
    owner: player,
    shipClass: shipClassIndex(hull),
    modules: modules.map(itemIndex),
  })
  removeFromMap(world, old)
}

/** Makes medic and friend members of one faction, and damages the friend's ship. */
function setStation(world: World, playerOf: (role: Role) => Eid): void {
  const faction = foundFaction(world, playerOf('medic'), 'Open Hands', 'HAND')
  addMember(world, playerOf('friend'), faction)
  const { ship } = world.read(Player)
  const [medic, friend] = [ship[playerOf('medic')], ship[playerOf('friend')]]
  const ships = world.write(Ship)
  ships.fuel[friend] = 1
  ships.hull[friend] = 1
  changePeople(world, friend, { fitCrew: -2 })
  loadCargo(world, medic, namedContainer('supply'), itemIndex('repair_kit'), 2)
}

/** Brings the miner within one mining action of the next level. */
function setBelt(world: World, miner: Eid): void {
  const { type } = world.read(Poi)
  const belts = poisOf(world, systemOf(world, miner)).filter((poi) => type[poi] === BELT)
  const [belt] = belts.filter((poi) => world.texts.get(world.read(Poi).class[poi]) !== 'ice_field')
  if (belt === undefined) throw new Error('there is no belt')
  placeInSpace(world, world.read(Player).ship[miner], belt)
  const mining = miner * SKILLS_WIDTH + skillIndex('mining')
  // The first level needs 60.
  world.write(PlayerSkills).xp[mining] = 59
}

const BELT = POI_TYPES.indexOf('asteroid_belt')

/** Prepares two fights in lawless space: one to the death, one to capture a hull. */
function setLawless(world: World, shipOf: (role: Role) => Eid): void {
  const [duelPoi, capturePoi] = open(world, lawlessSystem(world))
  for (const role of ['duelist', 'prey', 'scout'] as const)
    placeInSpace(world, shipOf(role), duelPoi)
  for (const role of ['captor', 'owner'] as const) placeInSpace(world, shipOf(role), capturePoi)
  const ships = world.write(Ship)
  const [captor, owner] = [shipOf('captor'), shipOf('owner')]
  // Enough marines and few enough crew for the boarding to succeed.
  ships.marinesFit[captor] = 23
  ships.crewFit[owner] = 3
  ships.shield[owner] = 0
  for (const ship of [captor, owner]) recompute(world, ship)
}

/** Leaves the hunter alone with a pirate that one shot will destroy. */
function setPirate(world: World, hunter: Eid): void {
  for (let system = 1; system <= world.highOf(StarSystem); system++) {
    if (world.read(StarSystem).police[system] !== 0) continue
    const [pirate] = piratesIn(world, system, 'T1')
    if (pirate === undefined) continue
    placeInSpace(world, hunter, leaveOnly(world, system, [pirate]))
    const ships = world.write(Ship)
    ships.hull[pirate] = 1
    ships.shield[pirate] = 0
    return
  }
  throw new Error('there is no pirate')
}
