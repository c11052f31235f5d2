/** Commands of the console: searching them, filling them in, recognising them in sentences. */
import { describe, expect, it } from 'vitest'
import {
  byAddress,
  type ConsoleBody,
  type ConsoleOperation,
  findCommands,
  toolAndAction,
} from '../../../web/play/console.ts'
import {
  describePayload,
  faultsOf,
  fieldsOf,
  fill,
  isSecret,
  widgetOf,
} from '../../../web/play/form.ts'
import { firstCommandIn, partsOf } from '../../../web/play/words.ts'

const param = (name: string, type: string, required = true, values: string[] = []) => ({
  name,
  type,
  required,
  values,
  description: '',
  example: null,
})

const operation = (
  address: string,
  params: ConsoleOperation['params'] = [],
  summary = '',
): ConsoleOperation => ({
  path: `/api/v2/${address}`,
  group: address.split('/')[0],
  summary,
  mutation: true,
  open: false,
  errors: [],
  about: '',
  params,
})

const BODY: ConsoleBody = {
  operations: [
    operation('game/mine', [], 'Pull ore out of a deposit.'),
    operation('game/examine', [], 'Look closely.'),
    operation('game/sell', [param('id', 'string'), param('quantity', 'integer')], 'Sell goods.'),
    operation('game/accept_mission', [param('id', 'string', false)]),
    operation('game_catalog', [param('type', 'string')], 'The catalogue.'),
    operation('game_auth/login', [param('username', 'string')]),
    operation('game_auth/claim', [param('registration_code', 'string')]),
  ],
}
const operations = byAddress(BODY)

describe('commands of the console', () => {
  it('excludes the commands of the login form', () => {
    expect([...operations.keys()]).not.toContain('game_auth/login')
    expect([...operations.keys()]).toContain('game_auth/claim')
    expect(operations.size).toBe(6)
  })

  it('names tool and action as a frame does', () => {
    expect(toolAndAction('game/mine')).toEqual({ tool: 'game', action: 'mine' })
    expect(toolAndAction('game_catalog')).toEqual({ tool: 'game_catalog' })
  })

  it('finds commands that contain every word, names before summaries', () => {
    expect(findCommands(operations, 'mine')[0]).toBe('game/mine')
    expect(findCommands(operations, 'goods')).toEqual(['game/sell'])
    expect(findCommands(operations, 'accept mission')).toEqual(['game/accept_mission'])
    expect(findCommands(operations, 'mine teapot')).toEqual([])
  })

  it('lists recently used commands first among equal matches', () => {
    expect(findCommands(operations, '', ['game/sell'])[0]).toBe('game/sell')
  })
})

describe('fields of a form', () => {
  const form = operation('x/y', [
    param('id', 'string'),
    param('quantity', 'integer', false),
    param('enable', 'boolean', false),
    param('items', 'object[]', false),
    param('channels', 'string[]', false),
    param('event_type', 'string | string[]', false),
  ])

  it('converts entries to the types of the parameters', () => {
    const { payload, faults } = fill(form, {
      id: '12',
      quantity: ' 3 ',
      enable: 'false',
      items: '[{"a":1}]',
      channels: 'chat.local, drones',
      event_type: 'mine',
    })
    expect(faults).toEqual({})
    expect(payload).toEqual({
      id: '12',
      quantity: 3,
      enable: false,
      items: [{ a: 1 }],
      channels: ['chat.local', 'drones'],
      event_type: 'mine',
    })
  })

  it('does not send empty fields, and asks for required ones', () => {
    expect(fill(form, { quantity: '' })).toEqual({
      payload: {},
      faults: { id: 'This is needed.' },
    })
  })

  it('reports values of the wrong type', () => {
    const { faults } = fill(form, { id: 'a', quantity: '1.5', items: '{"a":1}' })
    expect(Object.keys(faults)).toEqual(['quantity', 'items'])
    expect(fill(form, { id: 'a', quantity: '99999999999999999999' }).faults).toHaveProperty(
      'quantity',
    )
    expect(fill(form, { id: 'a', items: '[1' }).faults.items).toBe('This is not JSON yet.')
  })

  it('turns a payload back into fields', () => {
    const fields = { id: 'a', quantity: '3', items: '[{"a":1}]' }
    expect(fieldsOf(fill(form, fields).payload)).toEqual(fields)
  })

  it('picks the widget of a parameter by its type', () => {
    const widgets = [param('a', 'boolean'), param('b', 'integer'), param('c', 'object')]
    expect(widgets.map(widgetOf)).toEqual(['choice', 'number', 'json'])
    expect(widgetOf(param('d', 'string', true, ['x']))).toBe('choice')
  })

  it('reads faults from the details of a refusal, and accepts details of any shape', () => {
    const details = { fields: [{ field: 'id', expected: 'string' }, null, { no: 1 }] }
    expect(faultsOf(details)).toEqual({ id: 'Expected: string.' })
    expect(faultsOf(undefined)).toEqual({})
    expect(faultsOf({ fields: 'x' })).toEqual({})
  })
})

describe('secrets', () => {
  it('are recognised by name, and masked among the parameters sent', () => {
    expect(describePayload({ username: 'Ann', password: 'shh', quantity: 3 })).toBe(
      'username Ann, password ••••, quantity 3',
    )
    const names = ['password', 'token', 'new_password', 'registration_code', 'device_code']
    expect(names.filter((name) => !isSecret(name))).toEqual([])
    expect(['id', 'username', 'faction_code', 'token_id'].filter(isSecret)).toEqual([])
  })
})

describe('commands in sentences', () => {
  it('finds a command with its parameter', () => {
    const text = 'Next: game/accept_mission with id new_pilot_1 before you do it.'
    expect(partsOf(text, operations)).toEqual([
      'Next: ',
      {
        text: 'game/accept_mission with id new_pilot_1',
        address: 'game/accept_mission',
        payload: { id: 'new_pilot_1' },
      },
      ' before you do it.',
    ])
  })

  it('finds two parameters, and reads numbers as numbers', () => {
    expect(firstCommandIn('game/sell with id ore and quantity 3', operations)?.payload).toEqual({
      id: 'ore',
      quantity: 3,
    })
  })

  it('ignores words that are not commands', () => {
    const text = 'The game is on; game/unknown and <b>game</b> are none.'
    expect(partsOf(text, operations)).toEqual([text])
  })
})
