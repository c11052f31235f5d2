/** Commands of missions: boards, accepting, declining, abandoning, and lists of missions. */
import { GOODS, missionTemplate } from '../../core/catalog/index.ts'
import { mutation, query } from '../../core/command.ts'
import { fail, invalidFields, ok } from '../../core/errors.ts'
import { MISSIONS_MAX } from '../../core/limits.ts'
import { gameState, NO_PARAMS, obj, optional, str, words } from '../../core/params.ts'
import { counted, listed, say } from '../../core/say.ts'
import { tickTime } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { usernameOf } from '../account/model.ts'
import { addStat } from '../account/rules.ts'
import { baseId, baseName } from '../base/model.ts'
import { isNearlyFull, isStorageNearlyFull } from '../cargo/model.ts'
import { callMeant, callRefusal } from '../distress/model.ts'
import { acceptDistressCall } from '../distress/rules.ts'
import { notifyFaction } from '../faction/rules.ts'
import { AT_LIBERTY } from '../law/needs.ts'
import { logAction } from '../log/rules.ts'
import { isOpenTo } from '../posting/model.ts'
import { Posting } from '../posting/state.ts'
import { activeShip } from '../ship/model.ts'
import { serviceRefusal } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { renderCompleted, renderCompletion } from './completion-views.ts'
import { errandsTaken, isErrand } from './errand-model.ts'
import {
  missionById,
  missionId,
  missionsOf,
  providedBy,
  recordOf,
  replacementCost,
  takesProvided,
  templateOf,
  unknownActive,
} from './model.ts'
import { DOCKED_AT_BOARD } from './needs.ts'
import {
  findOffer,
  findPosted,
  findPosting,
  hasBoard,
  missingRequirements,
  type OfferParams,
  offersTo,
  postedTo,
} from './offers-model.ts'
import { dropMission, openMission, reclaim } from './rules.ts'
import {
  abandonedSchema,
  acceptedSchema,
  activeSchema,
  boardSchema,
  completionSchema,
  declinedSchema,
  doneSchema,
} from './schemas.ts'
import { ERRANDS_PER_BOARD_MAX, Mission, type Offer } from './state.ts'
import { describeObjective, renderActive, renderOffer } from './views.ts'

const shared = { category: 'missions' } as const

const missionParam = () => optional(str('Id of an offer here, or of a distress call.', { min: 1 }))
const templateParam = () =>
  optional(str('Id of a template; it takes precedence over mission_id.', { min: 1 }))

export const activeParam = () =>
  str('Id of one of your active missions.', { min: 1, example: 'mission' })

export const getMissions = query({
  ...shared,
  name: 'get_missions',
  v2: { tool: 'game', action: 'get_missions' },
  summary: 'List what the board of your base offers you; the board changes every 360 ticks.',
  params: NO_PARAMS,
  result: boardSchema,
  needs: [DOCKED],
  errors: ['no_missions_service', 'service_restricted'],
  run(view, player) {
    const base = dockedBase(view, player)
    if (!hasBoard(view, player, base)) return fail('no_missions_service')
    const posted = postedTo(view, player, base)
    const barred = serviceRefusal(view, player, base, 'missions')
    if (barred && posted.length === 0) return barred
    const offers = [...(barred ? [] : offersTo(view, player, base)), ...posted]
    const missions = offers.map((offer) => renderOffer(view, player, offer))
    return ok({ base_id: baseId(view, base), base_name: baseName(view, base), missions })
  },
})

export const declineMission = query({
  ...shared,
  name: 'decline_mission',
  v2: { tool: 'game', action: 'decline_mission', rename: { template_id: 'id' } },
  summary: 'Decline an offer and read the answer of its giver; the offer stays on the board.',
  params: obj({ mission_id: missionParam(), template_id: templateParam() }),
  result: declinedSchema,
  needs: [DOCKED],
  errors: ['mission_not_found'],
  run(view, player, params) {
    const base = dockedBase(view, player)
    const offer =
      findOffer(view, player, base, params) ??
      findPosted(view, player, findPosting(view, base, params))
    if (!offer) return fail('mission_not_found')
    const { template_id, title, dialog, giver } = offer.template
    return ok({ template_id, title, message: dialog.decline, giver: { ...giver } })
  },
})

/* Accepting */

function acceptanceRefusal(view: WorldView, player: Eid, offer: Offer) {
  const { template } = offer
  const open = missionsOf(view, player)
  if (open.some((row) => templateOf(view, row).template_id === template.template_id)) {
    return fail('already_active')
  }
  if (open.length >= MISSIONS_MAX) return fail('mission_limit', { max: MISSIONS_MAX })
  const errands = isErrand(template) ? errandsTaken(view, player, offer.base) : 0
  if (errands >= ERRANDS_PER_BOARD_MAX) {
    const ticks = offer.expireTick - view.tick
    const message =
      `This base gives you at most ${ERRANDS_PER_BOARD_MAX} errands from one board; accept ` +
      `others elsewhere, or wait ${counted(ticks, 'tick')} for its next board.`
    return fail('mission_limit', { max: ERRANDS_PER_BOARD_MAX, ticks }, message)
  }
  const missing = missingRequirements(view, player, offer)
  if (missing.length > 0) return fail('requirements_not_met', { missing })
  if (!takesProvided(view, activeShip(view, player), template)) {
    const goods = providedBy(template).map(({ item, units }) => `${units} ${GOODS[item].name}`)
    const message = say`The hold is too full for what you would be handed (cargo_full): ${listed(goods)}. {sell} or store something, or come with a larger ship.`
    return fail('no_cargo_space', undefined, message)
  }
  const providesGoods = providedBy(template).length > 0
  const isFull = isNearlyFull(view, Mission) || (providesGoods && isStorageNearlyFull(view))
  return isFull ? fail('limit_reached') : undefined
}

/** Accepts a distress call; only the first player who accepts one gets the mission. */
function acceptCall(world: World, player: Eid, signal: Row) {
  const refused = callRefusal(world, player, signal)
  if (refused) return refused
  if (missionsOf(world, player).length >= MISSIONS_MAX) {
    return fail('mission_limit', { max: MISSIONS_MAX })
  }
  const mission = acceptDistressCall(world, player, signal)
  const { template_id, title, type, dialog } = templateOf(world, mission)
  const data = { mission_id: missionId(world, mission), template_id }
  logAction(world, player, 'mission', 'accepted', `Accepted "${title}".`, data)
  const expireTick = world.read(Mission).expireTick[mission]
  return ok({
    ...data,
    title,
    type,
    expires_at: tickTime(world, expireTick),
    message: `${dialog.accept} ${describeObjective(world, mission, 0)} You have ${counted(expireTick - world.tick, 'tick')} left.`,
  })
}

/** Refuses a mission that is not offered to the player. */
function unofferedRefusal(
  view: WorldView,
  player: Eid,
  base: Eid,
  { posting, params }: { posting: Row; params: OfferParams },
) {
  if (posting !== 0) {
    if (!isOpenTo(view, player, posting)) return fail('members_only')
    const { mission } = view.read(Posting)
    const isOwn = missionsOf(view, player).includes(mission[posting])
    return fail(isOwn ? 'already_active' : 'mission_not_found')
  }
  if (!hasBoard(view, player, base)) return fail('no_missions_service')
  const template = missionTemplate(params.template_id ?? params.mission_id ?? '')
  const { done } = recordOf(view, player)
  const earlierId = template?.requires.completed?.find((id) => done[id] === undefined)
  const earlier = earlierId === undefined ? undefined : missionTemplate(earlierId)
  if (!template || !earlier) return fail('mission_not_found')
  return fail(
    'mission_not_found',
    { template_id: template.template_id, after: earlier.template_id },
    say`"${template.title}" comes after "${earlier.title}": {complete_mission} that first.`,
  )
}

/** Notifies a faction that a player accepted its posting. */
function notifyAccepted(world: World, player: Eid, { posting, template, base }: Offer): void {
  const { faction } = world.read(Posting)
  notifyFaction(world, faction[posting], {
    event: 'mission_accepted',
    actor: player,
    message: `${usernameOf(world, player)} has accepted "${template.title}".`,
    details: { base_id: baseId(world, base) },
  })
}

export const acceptMission = mutation({
  ...shared,
  order: 'plain',
  name: 'accept_mission',
  v2: { tool: 'game', action: 'accept_mission', rename: { mission_id: 'id' } },
  summary:
    'Accept a mission from the board of the base you are docked at, or a distress call anywhere.',
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
      return invalidFields({ field: 'mission_id', expected: 'the id of an offer' })
    }
    const call = callMeant(world, params.mission_id)
    if (call !== 0) return acceptCall(world, player, call)
    const base = dockedBase(world, player)
    const posting = findPosting(world, base, params)
    const barred = posting === 0 && serviceRefusal(world, player, base, 'missions')
    if (barred) return barred
    const offer = findOffer(world, player, base, params) ?? findPosted(world, player, posting)
    if (!offer) return unofferedRefusal(world, player, base, { posting, params })
    const refused = acceptanceRefusal(world, player, offer)
    if (refused) return refused
    const { template } = offer
    const mission = openMission(world, player, offer)
    const data = { mission_id: missionId(world, mission), template_id: template.template_id }
    logAction(world, player, 'mission', 'accepted', `Accepted "${template.title}".`, data)
    // ours: postings do not count, or a faction with one member could raise its own statistics.
    if (template.kind === undefined) addStat(world, player, 'missions_accepted', 1)
    else notifyAccepted(world, player, offer)
    const cost = replacementCost(template)
    return ok({
      ...data,
      title: template.title,
      type: template.type,
      expires_at: tickTime(world, world.tick + template.ttlTicks),
      ...(cost > 0 && { replacement_cost: cost }),
      objectives: template.objectives.map((_, index) => describeObjective(world, mission, index)),
      message: template.dialog.accept,
    })
  },
})

export const abandonMission = mutation({
  ...shared,
  order: 'plain',
  name: 'abandon_mission',
  v2: { tool: 'game', action: 'abandon_mission', rename: { mission_id: 'id' } },
  summary: 'Abandon a mission; goods that it provided are taken back, missing ones are charged.',
  params: obj({ mission_id: activeParam() }),
  result: abandonedSchema,
  needs: [],
  changes: ['player', 'ship', 'cargo', 'missions'],
  errors: ['mission_not_found'],
  run(world, player, { mission_id }) {
    const mission = missionById(world, player, mission_id)
    if (mission === 0) return unknownActive(mission_id)
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
      charged > 0 ? ` You are charged ${counted(charged, 'credit')} for missing goods.` : ''
    return ok({ mission_id: id, title, message: `You have abandoned "${title}".${cost}` })
  },
})

/* Active and completed missions */

export const getActiveMissions = query({
  ...shared,
  name: 'get_active_missions',
  summary: 'List your active missions with the progress of each objective.',
  params: NO_PARAMS,
  result: activeSchema,
  needs: [],
  errors: [],
  run(view, player) {
    const missions = renderActive(view, player)
    return ok({ missions, max_missions: MISSIONS_MAX, total_count: missions.length })
  },
})

export const getActiveMissionsV2 = query({
  ...shared,
  name: 'get_active_missions',
  v1: false,
  v2: { tool: 'game', action: 'get_active_missions' },
  summary: 'List your active missions, as a section of the state.',
  params: NO_PARAMS,
  result: gameState(),
  needs: [],
  errors: [],
  run: (view, player) => ok({ missions: view.section('missions', player) }),
})

export const completedMissions = query({
  ...shared,
  name: 'completed_missions',
  v2: { tool: 'game', action: 'completed_missions' },
  summary: 'List the missions that you have completed, latest first.',
  params: NO_PARAMS,
  result: doneSchema,
  needs: [],
  errors: [],
  run(view, player) {
    const missions = renderCompleted(recordOf(view, player).done)
    return ok({ missions, total_count: missions.length })
  },
})

export const viewCompletedMission = query({
  ...shared,
  name: 'view_completed_mission',
  v2: { tool: 'game', action: 'view_completed_mission', rename: { template_id: 'id' } },
  summary: 'Show everything about a mission that you have completed.',
  params: obj({
    template_id: str('Id of the template.', { min: 1, example: 'bread_before_shift' }),
  }),
  result: completionSchema,
  needs: [],
  errors: ['not_completed'],
  run(view, player, { template_id }) {
    const completion = recordOf(view, player).done[template_id]
    const template = missionTemplate(template_id)
    if (!completion || !template) return fail('not_completed', { template_id })
    return ok(renderCompletion(template, completion))
  },
})
