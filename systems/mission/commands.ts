/** Taking missions, completing and dropping them. Source: missions.md section 3. */
import { mutation, type Need } from '../../core/command.ts'
import { badFields, type Failure, fail, type Outcome, ok } from '../../core/errors.ts'
import { MISSIONS_MAX } from '../../core/limits.ts'
import { obj, type Static, str } from '../../core/params.ts'
import { counted } from '../../core/say.ts'
import { isoTime } from '../../core/time.ts'
import type { Eid, Row, World, WorldView } from '../../core/types.ts'
import { addStat } from '../account/rules.ts'
import { isNearlyFull, isStoreNearlyFull } from '../cargo/rules.ts'
import { callMeant, refusesCall, takeCall } from '../distress/claim-rules.ts'
import { AT_LIBERTY } from '../law/rules.ts'
import { logAction } from '../log/rules.ts'
import { Posting } from '../posting/columns.ts'
import { admits } from '../posting/rules.ts'
import { activeShip } from '../ship/rules.ts'
import { refusesService } from '../station/access-rules.ts'
import { DOCKED, dockedBase } from '../travel/rules.ts'
import { Mission } from './columns.ts'
import { giveTo, refusesGift } from './community.ts'
import {
  findOffer,
  findPosted,
  hasBoard,
  lacking,
  type Named,
  type Offer,
  postingMeant,
  recordOf,
} from './offers.ts'
import { tellAccepted } from './posted.ts'
import { missionParam, templateParam } from './queries.ts'
import { completeMission, needsDocking, refusesCompletion } from './reward.ts'
import {
  dropMission,
  missionById,
  missionId,
  missionsOf,
  openMission,
  providedBy,
  reclaim,
  replacementCost,
  takesProvided,
  templateOf,
} from './rules.ts'
import { abandonedSchema, acceptedSchema, completedSchema } from './schemas.ts'
import { describeObjective } from './views.ts'

const shared = { category: 'missions', order: 'plain' } as const

type Accepted = Static<typeof acceptedSchema>

const idParam = () => str('Id of a mission you are at.', { min: 1, example: 'mission' })

function refusesAcceptance(view: WorldView, player: Eid, offer: Offer): Failure | undefined {
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

/** At the base whose board it hangs on; a call for help is taken from anywhere. */
const DOCKED_AT_BOARD: Need = {
  name: 'docked_at_board',
  errors: DOCKED.errors,
  check: () => undefined,
  ensure: (world, player, params) =>
    callMeant(world, (params as Named).mission_id) === 0
      ? DOCKED.ensure(world, player, params)
      : undefined,
}

/** Takes a distress call: the first who accepts it has it. */
function acceptCall(world: World, player: Eid, signal: Row): Outcome<Accepted> {
  const refused = refusesCall(world, player, signal)
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
    ...{ ...data, title, type },
    expires_at: isoTime(world.wallMs + ticks * world.tickMs),
    message: `${dialog.accept} ${describeObjective(world, mission, 0)} ${counted(ticks, 'tick')} to go.`,
  })
}

/** Why somebody is not offered what he wants to take. */
function refusesUnoffered(view: WorldView, player: Eid, base: Eid, posting: Row): Failure {
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
  errors: [
    ...(['no_missions_service', 'mission_not_found', 'already_active', 'mission_limit'] as const),
    ...(['requirements_not_met', 'no_cargo_space', 'limit_reached', 'invalid_payload'] as const),
    'service_restricted',
    'members_only',
  ],
  run(world, player, params) {
    if (params.mission_id === undefined && params.template_id === undefined) {
      return badFields({ field: 'mission_id', expected: 'given, or template_id' })
    }
    const call = callMeant(world, params.mission_id)
    if (call !== 0) return acceptCall(world, player, call)
    const base = dockedBase(world, player)
    const posting = postingMeant(world, base, params)
    const barred = posting === 0 && refusesService(world, player, base, 'missions')
    if (barred) return barred
    const offer = findOffer(world, player, base, params) ?? findPosted(world, player, posting)
    if (!offer) return refusesUnoffered(world, player, base, posting)
    const refused = refusesAcceptance(world, player, offer)
    if (refused) return refused
    const { template } = offer
    const mission = openMission(world, player, offer)
    const id = missionId(world, mission)
    const data = { mission_id: id, template_id: template.template_id }
    logAction(world, player, 'mission', 'accepted', `Accepted "${template.title}".`, data)
    // ours: what a faction of one posts and takes is no feat
    if (template.kind === undefined) addStat(world, player, 'missions_accepted', 1)
    else tellAccepted(world, player, offer)
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

/** Whoever has something to deliver must be docked; a mutation docks by itself. */
const DOCKED_TO_DELIVER: Need = {
  name: 'docked_to_deliver',
  errors: DOCKED.errors,
  check: () => undefined,
  ensure(world, player, params) {
    const { mission_id = '' } = params as { mission_id?: string }
    const mission = missionById(world, player, mission_id)
    if (mission === 0 || !needsDocking(world, mission)) return undefined
    return DOCKED.ensure(world, player, params)
  },
}

export const completeMissionCommand = mutation({
  ...shared,
  name: 'complete_mission',
  v2: { tool: 'game', action: 'complete_mission', rename: { mission_id: 'id' } },
  summary: 'Hand in a mission whose objectives are met, and take what it pays.',
  params: obj({ mission_id: idParam() }),
  result: completedSchema,
  needs: [DOCKED_TO_DELIVER],
  changes: ['player', 'cargo', 'missions', 'skills'],
  errors: [
    ...(['mission_not_found', 'mission_expired', 'mission_incomplete', 'wrong_station'] as const),
    ...(['insufficient_items', 'amount_too_large', 'limit_reached'] as const),
  ],
  judge(view, player, { mission_id }) {
    if (missionById(view, player, mission_id) !== 0) return undefined
    const hasLapsed = recordOf(view, player).lapsed.includes(mission_id.toLowerCase())
    return fail(hasLapsed ? 'mission_expired' : 'mission_not_found')
  },
  run(world, player, { mission_id }) {
    const mission = missionById(world, player, mission_id)
    if (mission === 0) return fail('mission_not_found')
    if (templateOf(world, mission).community) {
      return refusesGift(world, player, mission) ?? ok(giveTo(world, player, mission))
    }
    const refused = refusesCompletion(world, player, mission)
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
      ...{ mission_id: id, charged },
    })
    if (kind === undefined) addStat(world, player, 'missions_abandoned', 1)
    dropMission(world, mission)
    const cost =
      charged > 0 ? ` You are charged ${counted(charged, 'credit')} for what is missing.` : ''
    return ok({ mission_id: id, title, message: `You have dropped "${title}".${cost}` })
  },
})
