/** Taking missions, completing and dropping them. Source: missions.md section 3. */
import { GOODS, OBJECTIVES_MAX } from '../../core/catalog/index.ts'
import { mutation } from '../../core/command.ts'
import { badFields, fail, ok } from '../../core/errors.ts'
import { moveItems, namedContainer } from '../../core/goods.ts'
import { MISSIONS_MAX } from '../../core/limits.ts'
import { obj, str, words } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import {
  closeEmptyLocker,
  isNearlyFull,
  isStoreNearlyFull,
  lockerOf,
  storedUnits,
} from '../cargo/model.ts'
import { callMeant, callRefusal } from '../distress/model.ts'
import { takeCall } from '../distress/rules.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { logAction } from '../log/rules.ts'
import { admits } from '../posting/model.ts'
import { Posting } from '../posting/state.ts'
import { activeShip, cargoUnits, unloadCargo } from '../ship/model.ts'
import { serviceRefusal } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { recordGift } from './community-rules.ts'
import {
  creditsLeft,
  goalOf,
  hasShareRoom,
  isCollecting,
  missionById,
  missionId,
  missionsOf,
  poolOf,
  providedBy,
  recordOf,
  renderPool,
  replacementCost,
  restFor,
  shareOf,
  shareWorth,
  takesProvided,
  templateOf,
} from './model.ts'
import { DOCKED_AT_BOARD, DOCKED_TO_DELIVER } from './needs.ts'
import { findOffer, findPosted, hasBoard, lacking, postingMeant } from './offers-model.ts'
import { missionParam, templateParam } from './queries.ts'
import { completeMission, completionRefusal, notifyAccepted } from './reward-commands.ts'
import { dropMission, openMission, reclaim, recordChanged } from './rules.ts'
import { abandonedSchema, acceptedSchema, completedSchema } from './schemas.ts'
import { Mission, type Offer } from './state.ts'
import { describeObjective } from './views.ts'

const shared = { category: 'missions', order: 'plain' } as const

const idParam = () => str('Id of a mission you are at.', { min: 1, example: 'mission' })

function acceptanceRefusal(view: WorldView, player: Eid, offer: Offer) {
  const { template } = offer
  const open = missionsOf(view, player)
  if (open.some((row) => templateOf(view, row) === template)) return fail('already_active')
  if (open.length >= MISSIONS_MAX) return fail('mission_limit', { max: MISSIONS_MAX })
  const missing = lacking(view, player, offer)
  if (missing.length > 0) return fail('requirements_not_met', { missing })
  if (!takesProvided(view, activeShip(view, player), template)) return fail('no_cargo_space')
  const loads = providedBy(template).length > 0
  const isFull = isNearlyFull(view, Mission) || (loads && isStoreNearlyFull(view))
  return isFull ? fail('limit_reached') : undefined
}

/** Takes a distress call: the first who accepts it has it. */
function acceptCall(world: World, player: Eid, signal: Row) {
  const refused = callRefusal(world, player, signal)
  if (refused) return refused
  if (missionsOf(world, player).length >= MISSIONS_MAX) {
    return fail('mission_limit', { max: MISSIONS_MAX })
  }
  const mission = takeCall(world, player, signal)
  const { template_id, title, type, dialog } = templateOf(world, mission)
  const data = { mission_id: missionId(world, mission), template_id }
  logAction(world, player, 'mission', 'accepted', `Accepted "${title}".`, data)
  const ticks = world.read(Mission).expireTick[mission] - world.tick
  return ok({
    ...data,
    title,
    type,
    expires_at: isoTime(world.wallMs + ticks * world.tickMs),
    message: `${dialog.accept} ${describeObjective(world, mission, 0)} ${counted(ticks, 'tick')} to go.`,
  })
}

/** Why somebody is not offered what they want to take. */
function unofferedRefusal(view: WorldView, player: Eid, base: Eid, posting: Row) {
  if (posting !== 0) {
    if (!admits(view, player, posting)) return fail('members_only')
    const { mission } = view.read(Posting)
    const isOwn = missionsOf(view, player).includes(mission[posting])
    return fail(isOwn ? 'already_active' : 'mission_not_found')
  }
  return fail(hasBoard(view, player, base) ? 'mission_not_found' : 'no_missions_service')
}

export const acceptMission = mutation({
  ...shared,
  name: 'accept_mission',
  v2: { tool: 'game', action: 'accept_mission', rename: { mission_id: 'id' } },
  summary:
    'Take a mission from the board of the base you are docked at, or from anywhere a call for help.',
  params: obj({ mission_id: missionParam(), template_id: templateParam() }),
  result: acceptedSchema,
  needs: [DOCKED_AT_BOARD, AT_LIBERTY],
  changes: ['player', 'ship', 'cargo', 'missions'],
  errors: words(
    'no_missions_service mission_not_found already_active mission_limit requirements_not_met',
    'no_cargo_space limit_reached invalid_payload service_restricted members_only',
  ),
  run(world, player, params) {
    if (params.mission_id === undefined && params.template_id === undefined) {
      return badFields({ field: 'mission_id', expected: 'given, or template_id' })
    }
    const call = callMeant(world, params.mission_id)
    if (call !== 0) return acceptCall(world, player, call)
    const base = dockedBase(world, player)
    const posting = postingMeant(world, base, params)
    const barred = posting === 0 && serviceRefusal(world, player, base, 'missions')
    if (barred) return barred
    const offer = findOffer(world, player, base, params) ?? findPosted(world, player, posting)
    if (!offer) return unofferedRefusal(world, player, base, posting)
    const refused = acceptanceRefusal(world, player, offer)
    if (refused) return refused
    const { template } = offer
    const mission = openMission(world, player, offer)
    const id = missionId(world, mission)
    const data = { mission_id: id, template_id: template.template_id }
    logAction(world, player, 'mission', 'accepted', `Accepted "${template.title}".`, data)
    // ours: what a faction of one posts and takes is no feat
    if (template.kind === undefined) addStat(world, player, 'missions_accepted', 1)
    else notifyAccepted(world, player, offer)
    const cost = replacementCost(template)
    return ok({
      ...data,
      title: template.title,
      type: template.type,
      expires_at: isoTime(world.wallMs + template.ttlTicks * world.tickMs),
      ...(cost > 0 ? { replacement_cost: cost } : {}),
      message: template.dialog.accept,
    })
  },
})

export const completeMissionCommand = mutation({
  ...shared,
  name: 'complete_mission',
  v2: { tool: 'game', action: 'complete_mission', rename: { mission_id: 'id' } },
  summary: 'Hand in a mission whose objectives are met, and take what it pays.',
  params: obj({ mission_id: idParam() }),
  result: completedSchema,
  needs: [DOCKED_TO_DELIVER],
  changes: ['player', 'cargo', 'missions', 'skills'],
  errors: words(
    'mission_not_found mission_expired mission_incomplete wrong_station insufficient_items',
    'amount_too_large limit_reached',
  ),
  judge(view, player, { mission_id }) {
    if (missionById(view, player, mission_id) !== 0) return undefined
    const hasLapsed = recordOf(view, player).lapsed.includes(mission_id.toLowerCase())
    return fail(hasLapsed ? 'mission_expired' : 'mission_not_found')
  },
  run(world, player, { mission_id }) {
    const mission = missionById(world, player, mission_id)
    if (mission === 0) return fail('mission_not_found')
    if (templateOf(world, mission).community) {
      return giftRefusal(world, player, mission) ?? ok(giveTo(world, player, mission))
    }
    const refused = completionRefusal(world, player, mission)
    return refused ?? ok(completeMission(world, player, mission))
  },
})

export const abandonMission = mutation({
  ...shared,
  name: 'abandon_mission',
  v2: { tool: 'game', action: 'abandon_mission', rename: { mission_id: 'id' } },
  summary: 'Drop a mission; what it handed over is taken back, and what is missing is charged.',
  params: obj({ mission_id: idParam() }),
  result: abandonedSchema,
  needs: [],
  changes: ['player', 'ship', 'cargo', 'missions'],
  errors: ['mission_not_found'],
  run(world, player, { mission_id }) {
    const mission = missionById(world, player, mission_id)
    if (mission === 0) return fail('mission_not_found')
    const { title, kind } = templateOf(world, mission)
    const id = missionId(world, mission)
    const charged = reclaim(world, mission)
    logAction(world, player, 'mission', 'abandoned', `Abandoned "${title}".`, {
      mission_id: id,
      charged,
    })
    if (kind === undefined) addStat(world, player, 'missions_abandoned', 1)
    dropMission(world, mission)
    const cost =
      charged > 0 ? ` You are charged ${counted(charged, 'credit')} for what is missing.` : ''
    return ok({ mission_id: id, title, message: `You have dropped "${title}".${cost}` })
  },
})

/**
 * Why nothing can be given now. Refusals: mission_expired (the collection is full), wrong_station,
 * insufficient_items, limit_reached.
 */
function giftRefusal(view: WorldView, player: Eid, mission: Row) {
  const template = templateOf(view, mission)
  if (!isCollecting(view, template.template_id)) {
    const said = 'There is enough already; whoever gave is being paid.'
    return fail('mission_expired', undefined, said)
  }
  const base = view.read(Mission).toBase[mission * OBJECTIVES_MAX]
  if (dockedBase(view, player) !== base) return fail('wrong_station')
  const { item } = goalOf(template)
  const have =
    cargoUnits(view, activeShip(view, player), item) + storedUnits(view, player, base, item)
  if (have === 0) {
    const missing = [{ item_id: GOODS[item].id, item_name: GOODS[item].name, need: 1, have: 0 }]
    return fail('insufficient_items', { missing })
  }
  return hasShareRoom(view, template.template_id, player) ? undefined : fail('limit_reached')
}

/* Giving to a collection: out of the hold, then out of storage. Source: missions.md section 2. */

/** Gives all that the player holds and the collection still takes. */
function giveTo(world: World, player: Eid, mission: Row) {
  const template = templateOf(world, mission)
  const { item, units: goal } = goalOf(template)
  const base = dockedBase(world, player)
  const ship = activeShip(world, player)
  const rest = goal - poolOf(world, template.template_id).given
  const to = namedContainer('consumption')
  const aboard = Math.min(rest, cargoUnits(world, ship, item))
  if (aboard > 0) unloadCargo(world, ship, to, item, aboard)
  const stored = Math.min(rest - aboard, storedUnits(world, player, base, item))
  if (stored > 0) {
    moveItems(world, lockerOf(world, player, base), to, item, stored)
    closeEmptyLocker(world, player, base)
  }
  const given = aboard + stored
  recordGift(world, template, player, given)
  recordChanged(world, player)
  const { community_percent, community_progress } = renderPool(world, template)
  const id = missionId(world, mission)
  const said = `Gave ${given} ${GOODS[item].name} to "${template.title}".`
  logAction(world, player, 'mission', 'contributed', said, { mission_id: id, units: given })
  const isFull = given === rest
  const worth = shareWorth(world, template, player)
  const pay = isFull ? worth + restFor(world, template, player) : worth
  const credits_earned = isFull ? Math.min(pay, creditsLeft(world, player)) : 0
  const share = `${shareOf(world, template.template_id, player)} of ${goal} units are yours`
  return {
    mission_id: id,
    title: template.title,
    credits_earned,
    community_share_credits: pay,
    community_contributed: { [GOODS[item].id]: given },
    community_percent,
    community_progress,
    message: isFull
      ? `${template.dialog.complete} ${share}: you are paid ${credits_earned} credits.`
      : `${said} ${share}, worth ${pay} credits; you are paid when there is enough.`,
  }
}
