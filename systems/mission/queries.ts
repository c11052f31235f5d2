/** Looking at missions: the board, those one is at, those one has done. Source: missions.md 3. */
import { missionTemplate } from '../../core/catalog/index.ts'
import { query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { MISSIONS_MAX } from '../../core/limits.ts'
import { gameState, NO_PARAMS, obj, optional, str } from '../../core/params.ts'
import { baseId, baseName } from '../base/model.ts'
import { serviceRefusal } from '../station/model.ts'
import { dockedBase } from '../travel/location-model.ts'
import { DOCKED } from '../travel/needs.ts'
import { recordOf } from './model.ts'
import {
  findOffer,
  findPosted,
  hasBoard,
  offersTo,
  postedTo,
  postingMeant,
} from './offers-model.ts'
import { activeSchema, boardSchema, declinedSchema, doneSchema, toldSchema } from './schemas.ts'
import { renderActive, renderCompleted, renderCompletion, renderOffer } from './views.ts'

const shared = { category: 'missions' } as const

export const missionParam = () =>
  optional(str('Id of an offer here, or of a call for help.', { min: 1 }))
export const templateParam = () =>
  optional(str('Id of a template; it wins over mission_id.', { min: 1 }))

export const getMissions = query({
  ...shared,
  name: 'get_missions',
  v2: { tool: 'game', action: 'get_missions' },
  summary: 'What the board of the base you are docked at offers you; it changes every 360 ticks.',
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
  summary: 'Say no to an offer and hear what its giver has to say; it stays on the board.',
  params: obj({ mission_id: missionParam(), template_id: templateParam() }),
  result: declinedSchema,
  needs: [DOCKED],
  errors: ['mission_not_found'],
  run(view, player, params) {
    const base = dockedBase(view, player)
    const posted = findPosted(view, player, postingMeant(view, base, params))
    const offer = findOffer(view, player, base, params) ?? posted
    if (!offer) return fail('mission_not_found')
    const { template_id, title, dialog, giver } = offer.template
    return ok({ template_id, title, message: dialog.decline, giver: { ...giver } })
  },
})

export const getActiveMissions = query({
  ...shared,
  name: 'get_active_missions',
  summary: 'The missions you are at, with how far each of their objectives is.',
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
  summary: 'The missions you are at, as a section of the state.',
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
  summary: 'The missions you have completed, the latest first.',
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
  summary: 'Read again all that was said about a mission you have completed.',
  params: obj({
    template_id: str('Id of the template.', { min: 1, example: 'bread_before_shift' }),
  }),
  result: toldSchema,
  needs: [],
  errors: ['not_completed'],
  run(view, player, { template_id }) {
    const completion = recordOf(view, player).done[template_id]
    const template = missionTemplate(template_id)
    if (!completion || !template) return fail('not_completed', { template_id })
    return ok(renderCompletion(template, completion))
  },
})
