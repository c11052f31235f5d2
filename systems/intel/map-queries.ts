/** Internal queries of the intel map; main has checked whose players these are. Source: WEB 1.4. */
import { query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import { PLAYERS_PER_ACCOUNT_MAX } from '../../core/limits.ts'
import { obj, ref, str, Type } from '../../core/params.ts'
import { intelMapBody, intelSystemBody } from '../../core/public/intel-map.ts'
import type { Eid, WorldView } from '../../core/types.ts'
import { Player } from '../account/state.ts'
import { systemById } from '../travel/model.ts'
import { renderIntelSystem } from './map-system-views.ts'
import { renderIntelMap } from './map-views.ts'

const players = Type.Array(Type.Integer(), {
  description: 'Numbers of the players of one account.',
  maxItems: PLAYERS_PER_ACCOUNT_MAX,
  examples: [[1]],
})

/**
 * Returns the players with these numbers, each once. An account may know players that a world set
 * back to an earlier tick lacks.
 */
const playersOf = (view: WorldView, numbers: readonly number[]): Eid[] =>
  [...new Set(numbers)].map((number) => view.rowOf(Player, number)).filter((player) => player !== 0)

const internal = { category: 'internal', open: true, needs: [] } as const

export const intelMap = query({
  ...internal,
  name: 'internal:intel_map',
  summary: 'The players of an account, and what they and their factions know.',
  params: obj({ players }),
  result: intelMapBody,
  errors: [],
  run: (view, _player, { players: numbers }) => ok(renderIntelMap(view, playersOf(view, numbers))),
})

export const intelSystem = query({
  ...internal,
  name: 'internal:intel_system',
  summary: 'What the players of an account and their factions know of a system.',
  params: obj({ players, system_id: ref('system', str('Id of the system.', { example: 'sol' })) }),
  result: intelSystemBody,
  errors: ['not_found'],
  run(view, _player, { players: numbers, system_id }) {
    const system = systemById(view, system_id)
    if (system === 0) {
      return fail('not_found', { system_id }, 'There is no such system: /api/map lists them all.')
    }
    return ok(renderIntelSystem(view, playersOf(view, numbers), system))
  },
})
