/** A registry of a few definitions: one of every kind that the documents distinguish. */
import { immediate, mutation, query, session } from '../../../core/command.ts'
import { fail, ok } from '../../../core/errors.ts'
import { defineEvent } from '../../../core/event.ts'
import {
  int,
  itemId,
  list,
  NO_PARAMS,
  obj,
  optional,
  str,
  strings,
  Type,
} from '../../../core/params.ts'
import { createRegistry, type Registry } from '../../../core/registry.ts'

const docked = {
  name: 'docked',
  errors: ['not_docked', 'no_base'] as const,
  check: () => undefined,
  ensure: () => undefined,
}

const player = Type.Object({ ...strings('id', 'username') }, { $id: 'Player' })

const ADA = { id: '1', username: 'Ada' }

export const buy = mutation({
  name: 'buy',
  v2: { tool: 'game', action: 'buy', rename: { item_id: 'id' }, omit: ['note'] },
  summary: 'Buys items',
  category: 'Trading',
  params: obj({
    item_id: itemId(),
    quantity: int('Units.', { min: 1 }),
    note: optional(str('Why.')),
  }),
  result: obj({ ...strings('message', 'item_id'), player }),
  errors: ['no_credits'],
  needs: [docked],
  order: 'plain',
  changes: ['player', 'cargo'],
  run: () => ok({ message: '', item_id: '', player: ADA }),
})

export const getStatus = query({
  name: 'get_status',
  v1: false,
  v2: { tool: 'game', action: 'get_status' },
  summary: 'The whole state.',
  category: 'Status',
  params: NO_PARAMS,
  result: Type.Object({}, { $id: 'V2GameState' }),
  errors: [],
  needs: [],
  run: () => ok({}),
})

const statusV1 = query({
  name: 'get_status',
  summary: 'Player and ship.',
  category: 'Status',
  params: NO_PARAMS,
  result: obj({ player, friends: list(player) }),
  errors: [],
  needs: [],
  run: () => ok({ player: ADA, friends: [] }),
})

export const catalog = query({
  name: 'catalog',
  v2: { tool: 'game_catalog', action: '' },
  summary: 'Reference data.',
  category: 'Status',
  open: true,
  params: obj({ type: str('What.', { min: 1 }), page: optional(int('Page.')) }),
  result: obj({ items: list(obj(strings('id'))) }),
  errors: ['invalid_type'],
  needs: [],
  run: (_view, _player, { type }) =>
    type === 'items' ? ok({ items: [{ id: 'iron' }] }) : fail('invalid_type'),
})

const setStatus = immediate({
  name: 'set_status',
  v2: { tool: 'game_social', action: 'set_status', rename: { status_message: 'content' } },
  summary: 'Sets the line others read.',
  category: 'Social',
  params: obj({ status_message: str('Text.', { max: 100 }) }),
  result: obj(strings('message')),
  errors: ['too_long'],
  needs: [],
  run: () => ok({ message: 'ok' }),
})

export const login = session({
  name: 'login',
  v2: { tool: 'game_auth', action: 'login' },
  summary: 'Logs in.',
  category: 'Authentication',
  params: obj({ username: str('Name.'), password: str('Password.') }),
  result: obj({ ...strings('session_id'), player }),
  errors: ['invalid_credentials'],
  open: true,
})

const logout = session({
  name: 'logout',
  v2: { tool: 'game_auth', action: 'logout' },
  summary: 'Logs out.',
  category: 'Authentication',
  params: NO_PARAMS,
  result: obj(strings('message')),
  errors: ['not_authenticated'],
})

const hidden = query({
  name: 'internal:secret',
  summary: 'Between the threads.',
  category: 'internal',
  params: NO_PARAMS,
  result: obj({}),
  errors: [],
  needs: [],
  run: () => ok({}),
})

const yieldEvent = defineEvent({
  type: 'mining_yield',
  summary: 'Something was mined.',
  fields: obj({ resource_id: Type.String(), drone_id: optional(Type.String()) }),
  queue: 'system',
})

const mask = defineEvent({
  type: 'internal:mask',
  summary: 'Between the threads.',
  fields: obj({}),
  queue: 'system',
})

export function fakeRegistry(): Registry {
  return createRegistry([
    {
      name: 'fake',
      players: {
        table: {} as never,
        isBound: () => false,
        isBoundAt: () => false,
        boundNodes: () => [],
      },
      commands: [statusV1, getStatus, buy, catalog, setStatus, login, logout, hidden],
      events: [yieldEvent, mask],
      sectionSchemas: { player, cargo: list(obj(strings('item_id'))) },
    },
  ])
}

export const INFO = { version: '0.599.5' }
