/** Wire forms of challenges and matches. */
import type { ChallengeRow, Enemy, Wave } from '../../core/catalog/arena-challenges.ts'
import { CHALLENGES, challengeById, FIGHTERS, fighterIndex } from '../../core/catalog/index.ts'
import { playerNumber } from '../../core/pending.ts'
import type { Eid, Row, WorldView } from '../../core/types.ts'
import { areHostile, battleId, combatantOf, participantsOf } from '../combat/model.ts'
import { Participant } from '../combat/state.ts'
import { activeShip } from '../ship/model.ts'
import { poiOf } from '../travel/location-model.ts'
import { poiId, poiName, systemId } from '../travel/model.ts'
import { Poi } from '../travel/state.ts'
import {
  arenaOf,
  duelsOf,
  isArena,
  MATCH_TICKS_MAX,
  matchIn,
  renderDuel,
  requirementsOf,
  wavesLeft,
  winsOf,
} from './model.ts'
import { ShipMatch } from './state.ts'

const renderFighter = ({ npc, flees }: Enemy) => {
  const { name, shipClass } = FIGHTERS[fighterIndex(npc)]
  return { npc, name, ship_class: shipClass, flees: flees === true }
}

const renderWave = ({ name, npcs, afterTicks, whenEnemiesRemaining }: Wave) => ({
  name,
  npc: npcs.map(renderFighter),
  ...(afterTicks === undefined ? {} : { after_ticks: afterTicks }),
  ...(whenEnemiesRemaining === undefined ? {} : { when_enemies_remaining: whenEnemiesRemaining }),
})

function renderChallenge(view: WorldView, player: Eid, row: ChallengeRow) {
  const poi = arenaOf(view, row, player)
  const requires = requirementsOf(view, player, row)
  const { id, name, lore, rules, objective, objectiveTicks, enemies, waves } = row
  return {
    id,
    name,
    lore,
    poi_id: poiId(view, poi),
    poi_name: poiName(view, poi),
    system_id: systemId(view, view.read(Poi).system[poi]),
    here: poiOf(view, player) === poi,
    wins: winsOf(view, player, id),
    locked: requires.some(({ locked }) => locked),
    rules: rules.map((rule) => ({ ...rule })),
    objective: { type: objective, ...(objectiveTicks > 0 ? { ticks: objectiveTicks } : {}) },
    enemies: enemies.map(renderFighter),
    waves: waves.map(renderWave),
    requires,
  }
}

/** Lists the challenges of the house, in their order; none in a world without arenas. */
export function renderChallenges(view: WorldView, player: Eid) {
  const challenges = CHALLENGES.filter((row) => arenaOf(view, row, player) !== 0).map((row) =>
    renderChallenge(view, player, row),
  )
  return { action: 'challenges' as const, count: challenges.length, challenges }
}

/** Renders a match for a player who is in it. */
function renderMatch(view: WorldView, player: Eid, battle: Row) {
  const match = matchIn(view, battle)
  if (match === undefined) return {}
  const { side } = view.read(Participant)
  const own = side[combatantOf(view, player)]
  const enemies = participantsOf(view, battle).filter((row) =>
    areHostile(view, battle, own, side[row]),
  )
  const elapsed = view.tick - match.startTick
  const limit = challengeById(match.challenge)?.objectiveTicks || MATCH_TICKS_MAX
  return {
    match: {
      battle_id: battleId(view, battle),
      kind: match.challenge === '' ? 'duel' : 'challenge',
      ...(match.challenge === '' ? {} : { challenge_id: match.challenge }),
      elapsed_ticks: elapsed,
      ticks_remaining: Math.max(0, limit - elapsed),
      enemies_remaining: enemies.length,
      waves_remaining: wavesLeft(match),
    },
  }
}

/** Renders the player's match, and the open challenges to them and by them. */
export function renderStatus(view: WorldView, player: Eid) {
  const battle = view.read(ShipMatch).match[activeShip(view, player)]
  const number = playerNumber(view, player)
  const open = duelsOf(view)
  const incoming = open.filter(({ challenged }) => challenged === number)
  const outgoing = open.filter(({ challenger }) => challenger === number)
  return {
    action: 'status' as const,
    in_match: battle !== 0,
    at_arena: isArena(view, poiOf(view, player)),
    ...(battle === 0 ? {} : renderMatch(view, player, battle)),
    incoming: incoming.map((duel) => renderDuel(view, duel)),
    outgoing: outgoing.map((duel) => renderDuel(view, duel)),
  }
}
