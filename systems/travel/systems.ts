/**
 * Arrivals: who is due at this tick is placed, then told where he is and whom he meets. Source:
 * travel.md section 10.
 */
import { SHIP_CLASSES } from '../../core/catalog/index.ts'
import { ok } from '../../core/errors.ts'
import { emit, toPlayer } from '../../core/event.ts'
import { ONLINE_PLAYERS_MAX } from '../../core/limits.ts'
import { raise } from '../../core/occurrence.ts'
import type { Static } from '../../core/params.ts'
import { answerLater, pendingOf } from '../../core/pending.ts'
import type { SystemDef } from '../../core/system.ts'
import type { Eid, World } from '../../core/types.ts'
import { Player, PlayerStats } from '../account/columns.ts'
import { addStat } from '../account/rules.ts'
import { alertArrival } from '../combat/rules.ts'
import { reachDistress } from '../distress/rules.ts'
import { passCustoms } from '../law/customs-rules.ts'
import { meetLaw } from '../law/rules.ts'
import { logAction } from '../log/rules.ts'
import { noteProgress } from '../mission/progress-rules.ts'
import { type Gathering, gatheringAt } from '../sensing/rules.ts'
import { Ship } from '../ship/columns.ts'
import { PlayerSkills } from '../skill/columns.ts'
import { awardXp } from '../skill/rules.ts'
import { trainAtPower } from '../skill/training-rules.ts'
import { arrived, Course, DRIFTING, JUMPING, Lane, Location, Poi, StarSystem } from './columns.ts'
import { driftEnded } from './events.ts'
import { takeArrivals } from './lists.ts'
import { arrive, poiId, poiName, systemId, systemName, visit } from './rules.ts'
import type { jumpedResult } from './schemas.ts'
import { neighboursOf, onlinePlayer, showTo } from './views.ts'

const NAVIGATION_XP = { travel: 1, jump: 5 } as const
const FIRST_VISIT_XP = 50
/** Commands that the arrival answers. */
const ORDERS: ReadonlySet<string> = new Set(['travel', 'jump'])

type Jumped = Static<typeof jumpedResult>

/** A flight that ended in this tick. */
interface Arrival {
  readonly ship: Eid
  readonly player: Eid
  /** From another system; `isDrift`: off the lanes, so that nobody waits for an answer. */
  readonly isJump: boolean
  readonly isDrift: boolean
  readonly fromSystem: Eid
  /** Ticks under way. */
  readonly ticks: number
}

export const arrivals: SystemDef = {
  name: 'travel.arrive',
  phase: 'arrive',
  reads: [Player, Lane],
  writes: [Location, Course, Poi, StarSystem, Ship, PlayerSkills, PlayerStats],
  run(world) {
    const ended: Arrival[] = []
    for (const ship of takeArrivals(world)) {
      const { state, system, departTick } = world.read(Location)
      const isJump = state[ship] >= JUMPING
      const isDrift = state[ship] === DRIFTING
      const fromSystem = system[ship]
      const ticks = world.tick - departTick[ship]
      arrive(world, ship)
      const player = world.read(Ship).owner[ship]
      if (player !== 0 && world.read(Player).ship[player] === ship) {
        ended.push({ ship, player, isJump, isDrift, fromSystem, ticks })
        raise(world, arrived, { player, poi: world.read(Location).poi[ship] })
      }
    }
    tell(world, ended)
  },
}

/** A gathering at a place, and how its members look to anybody: the same for all who arrive. */
interface Scene {
  readonly gathering: Gathering
  readonly entries: Map<Eid, ReturnType<typeof onlinePlayer>>
}

/** True for whoever gave the order to fly; those who came along with a leader have not. */
const awaitsArrival = (world: World, player: Eid): boolean =>
  ORDERS.has(pendingOf(world, player)?.command ?? '')

/** Answers everyone once all are in place; who is there is worked out once a place. */
function tell(world: World, ended: readonly Arrival[]): void {
  const scenes = new Map<Eid, Scene>()
  for (const arrival of ended) {
    const poi = world.read(Location).poi[arrival.ship]
    const scene = scenes.get(poi) ?? { gathering: gatheringAt(world, poi), entries: new Map() }
    scenes.set(poi, scene)
    const met = meeting(world, arrival.player, scene)
    const result = arrival.isJump
      ? afterJump(world, arrival, poi, met)
      : afterTravel(world, arrival, poi, met)
    const { player } = arrival
    reachDistress(world, player, poi)
    if (arrival.isDrift) {
      const told = { command: 'jump', tick: world.tick, result: result as Jumped }
      emit(world, driftEnded, told, toPlayer(player))
    } else if (awaitsArrival(world, player)) answerLater(world, player, ok(result))
  }
}

function meeting(world: World, player: Eid, { gathering, entries }: Scene) {
  const shown = showTo(gathering, player, ONLINE_PLAYERS_MAX)
  const entryOf = (other: Eid) => {
    if (!entries.has(other)) entries.set(other, onlinePlayer(world, 0, other))
    return entries.get(other)
  }
  return {
    online_players: shown.players.flatMap((other) => entryOf(other) ?? []),
    online_players_count: shown.count,
    online_players_truncated: shown.truncated,
    offline_collapsed: shown.offlineCollapsed,
  }
}

/** XP of flying a hull. Source: missions.md section 5. */
function awardPiloting(world: World, arrival: Arrival): number {
  const tier = SHIP_CLASSES[world.read(Ship).class[arrival.ship]].tier
  trainAtPower(world, arrival.player, arrival.ticks)
  return awardXp(world, arrival.player, 'piloting', tier + 1)
}

function afterTravel(
  world: World,
  arrival: Arrival,
  poi: Eid,
  met: ReturnType<typeof meeting>,
): object {
  const { player } = arrival
  const navigation = awardXp(world, player, 'navigation', NAVIGATION_XP.travel)
  const piloting = awardPiloting(world, arrival)
  const name = poiName(world, poi)
  logAction(world, player, 'navigation', 'arrived', `Arrived at ${name}.`, {
    poi_id: poiId(world, poi),
  })
  return {
    action: 'arrived',
    poi: name,
    poi_id: poiId(world, poi),
    ...met,
    xp_gained: {
      ...(navigation > 0 ? { navigation } : {}),
      ...(piloting > 0 ? { piloting } : {}),
    },
    message: `Arrived at ${name}.`,
  }
}

function afterJump(
  world: World,
  arrival: Arrival,
  poi: Eid,
  met: ReturnType<typeof meeting>,
): object {
  const { player, fromSystem } = arrival
  const system = world.read(Poi).system[poi]
  alertArrival(world, player)
  meetLaw(world, player, system)
  passCustoms(world, player, system)
  const isFirst = visit(world, player, system)
  noteProgress(world, player, 'visit_system', { key: system })
  const lane = neighboursOf(world, fromSystem).find(({ to }) => to === system)
  if (!arrival.isDrift) addStat(world, player, 'jumps_completed', 1)
  addStat(world, player, 'distance_traveled', lane?.distance ?? 0)
  const navigation = awardXp(world, player, 'navigation', NAVIGATION_XP.jump)
  const piloting = awardPiloting(world, arrival)
  const exploration = isFirst ? awardXp(world, player, 'exploration', FIRST_VISIT_XP) : 0
  const name = systemName(world, system)
  const data = { system_id: systemId(world, system), first_visit: isFirst }
  const said = arrival.isDrift ? `Came out of the void in ${name}.` : `Jumped to ${name}.`
  logAction(world, player, 'navigation', 'jumped', said, data)
  return {
    action: arrival.isDrift ? 'pathfinder_arrival' : 'jumped',
    from_system: systemName(world, fromSystem),
    system: name,
    system_name: name,
    system_id: systemId(world, system),
    poi: poiName(world, poi),
    poi_id: poiId(world, poi),
    online_players: met.online_players,
    online_players_count: met.online_players_count,
    navigation_xp: navigation,
    piloting_xp: piloting,
    ...(isFirst ? { exploration_xp: exploration } : {}),
    message: `Arrived in ${name}.`,
  }
}
