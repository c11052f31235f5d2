/**
 * What players can ask about their own state: v1 answers with records, v2 with sections of it.
 */
import { query } from '../../core/command.ts'
import { fail, ok } from '../../core/errors.ts'
import {
  gameState,
  list,
  NO_PARAMS,
  obj,
  opt,
  optional,
  ref,
  str,
  Type,
} from '../../core/params.ts'
import { type Eid, SECTIONS, type Section, type WorldView } from '../../core/types.ts'
import { garagedById } from '../fitting/model.ts'
import { hintsFor } from '../info/hints-views.ts'
import { recoverySchema } from '../prize/schemas.ts'
import { renderRecoveries } from '../prize/views.ts'
import { activeShip, ownShipById } from '../ship/model.ts'
import { getShipSchema, moduleSchema, shipSchema } from '../ship/schemas.ts'
import { renderGetShip, renderModules, renderShip } from '../ship/views.ts'
import { playerStatusSchema } from './schemas.ts'
import { renderPlayerStatus } from './views.ts'

/** Returns the hints on what to do next as a field; no field if there are none. */
function hintsField(view: WorldView, player: Eid): { hints?: string[] } {
  const hints = hintsFor(view, player)
  return hints.length === 0 ? {} : { hints }
}

export const getStatus = query({
  name: 'get_status',
  summary: 'Your player, ship and modules, your prizes on their way home, and what to do next.',
  category: 'status',
  params: NO_PARAMS,
  result: obj({
    player: playerStatusSchema,
    prize_recoveries: list(recoverySchema),
    ...opt({ ship: shipSchema, modules: list(moduleSchema), hints: list(Type.String()) }),
  }),
  errors: [],
  needs: [],
  run(view, player) {
    const ship = activeShip(view, player)
    return ok({
      player: renderPlayerStatus(view, player),
      prize_recoveries: renderRecoveries(view, player),
      ...hintsField(view, player),
      ...(ship === 0 ? {} : { ship: renderShip(view, ship), modules: renderModules(view, ship) }),
    })
  },
})

const shipParams = obj({
  ship_id: optional(
    ref('own_ship', str('A ship of yours; the one you fly if absent.', { min: 1 })),
  ),
})

/** Returns a ship of the player or of their faction's garages, by default the one flown; 0: none. */
function ownShip(view: WorldView, player: Eid, id: string | undefined): Eid {
  if (id === undefined) return activeShip(view, player)
  return ownShipById(view, player, id) || garagedById(view, player, id)
}

const shipBase = {
  name: 'get_ship',
  summary: 'A ship of yours with its class and modules.',
  category: 'status',
  params: shipParams,
  errors: ['ship_not_found'],
  needs: [],
} as const

export const getShip = query({
  ...shipBase,
  result: getShipSchema,
  run(view, player, { ship_id }) {
    const ship = ownShip(view, player, ship_id)
    return ship === 0 ? fail('ship_not_found') : ok(renderGetShip(view, ship))
  },
})

/** The sections describe the ship flown; another ship is described under `details` alone. */
export const getShipV2 = query({
  ...shipBase,
  v1: false,
  v2: { tool: 'game', action: 'get_ship', rename: { ship_id: 'id' } },
  result: gameState(),
  run(view, player, { ship_id }) {
    const ship = ownShip(view, player, ship_id)
    if (ship === 0) return fail('ship_not_found')
    const details = renderGetShip(view, ship)
    const isFlown = ship === activeShip(view, player)
    return ok(isFlown ? { ...sections(view, player, ['ship', 'modules']), details } : { details })
  },
})

function sections(view: WorldView, player: Eid, names: readonly Section[]) {
  const shown = names.map((name) => [name, view.section(name, player)] as const)
  return Object.fromEntries(shown.filter(([, section]) => section !== undefined))
}

/** Defines a v2 query that answers with sections of the state. */
const stateQuery = (action: string, summary: string, names: readonly Section[]) =>
  query({
    name: action,
    v1: false,
    v2: { tool: 'game', action },
    summary,
    category: 'status',
    params: NO_PARAMS,
    result: gameState(),
    errors: [],
    needs: [],
    run: (view, player) => ok(sections(view, player, names)),
  })

/** Defines a query for all sections and prizes on their way home. Source: newer.md section 5. */
const wholeState = (action: string) => {
  const summary =
    'Your whole state: all eight sections, your prizes on their way home, and what to do next.'
  return query({
    ...stateQuery(action, summary, SECTIONS),
    params: NO_PARAMS,
    run: (view, player) =>
      ok({
        ...sections(view, player, SECTIONS),
        prize_recoveries: renderRecoveries(view, player),
        ...hintsField(view, player),
      }),
  })
}

/** The v2 queries of sections of the state. */
export const stateQueries = [
  wholeState('get_status'),
  wholeState('get_state'),
  stateQuery('get_player', 'Your player record.', ['player']),
  stateQuery('get_cargo', 'What is in your hold.', ['cargo', 'ship']),
  stateQuery('get_location', 'Where you are and who is near.', ['location']),
  stateQuery('get_queue', 'Whether an action of yours is pending.', ['queue']),
]
