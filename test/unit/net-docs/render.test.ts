/** Texts of results: the forms that clients parse, and the readable listing of the rest. */
import { describe, expect, test } from 'vitest'
import { fail } from '../../../core/errors.ts'
import { shareTexts } from '../../../core/wire/packed.ts'
import { renderError, renderText } from '../../../net/render.ts'
import { buy, catalog, getStatus, login } from './fake-registry.ts'

const named = (name: string) => ({ ...catalog, name })

describe('texts that clients parse', () => {
  test('get_status is a dashboard', () => {
    const text = renderText(getStatus, {
      player: { username: 'Ada', empire: 'solarian', credits: 1234567 },
      ship: {
        name: 'Wren',
        class_name: 'Scout',
        hull: 90,
        max_hull: 100,
        fuel: 5,
        max_fuel: 60,
        cargo_used: 3,
        cargo_capacity: 50,
      },
      location: { system_name: 'Sol', docked_at: 'sol_base' },
      cargo: [{ item_id: 'iron_ore', quantity: 3, size: 1 }],
      modules: [{ module_id: 'm1', name: 'Laser', type_id: 'laser_1', slot: 'utility' }],
      skills: {
        mining: { level: 2, xp: 10, next_level_xp: 40 },
        stealth: { level: 0, xp: 0, next_level_xp: 60 },
      },
      missions: { active: [] },
      queue: { has_pending: false },
    })
    expect(text.split('\n')[0]).toBe('Ada [solarian] | 1,234,567cr | Sol')
    for (const line of [
      'Hull: 90/100',
      'Fuel: 5/60',
      'Cargo: 3/50',
      'Docked at: sol_base',
      'Cargo (1 items):\nitem\tqty\tsize\niron_ore\t3\t1',
      'Modules (1):\nid\tname',
      'Skills (1):\nskill\tlevel\txp\tnext\nmining\t2\t10\t40\nUntrained: 1; ',
    ])
      expect(text).toContain(line)
  })

  test('get_system lists its places and lanes', () => {
    const text = renderText(named('get_system'), {
      action: 'get_system',
      security_status: 'high',
      system: {
        id: 'sol',
        name: 'Sol',
        empire: 'solarian',
        police_level: 70,
        pois: [{ id: 'belt', name: 'Belt', type: 'asteroid_belt', has_base: false, online: 2 }],
        connections: [{ system_id: 'vega', name: 'Vega', distance: 12 }],
      },
    })
    expect(text).toBe(
      [
        'System: Sol (sol) | Empire: solarian | Security: high, police_level 70',
        '',
        'POIs (1):',
        'id\tname\ttype\tclass\tbase\tonline',
        'belt\tBelt\tasteroid_belt\t\t\t2',
        '',
        'Connections (1):',
        'system_id\tname\tdistance',
        'vega\tVega\t12',
      ].join('\n'),
    )
  })

  test('a mission board lists objectives, where they lead, rewards and warnings', () => {
    const text = renderText(named('get_missions'), {
      missions: [
        {
          mission_id: 'm1',
          title: 'Papers',
          type: 'courier',
          rewards: { credits: 900, items: { fuel_cell: 5 } },
          expires_in_ticks: 300,
          objectives: [
            { description: 'Dock at Vega Registry.', system_name: 'Vega Prime' },
            { description: 'Deliver 6 Lamp to Sol.', sources: ['Made by the recipe lamp.'] },
          ],
          warnings: ['It leads into lawless space.'],
        },
      ],
    })
    expect(text).toBe(
      [
        'Missions (1):',
        'id\ttitle\ttype\tpercent\tcredits\texpires_in_ticks\tobjectives\titems\twarnings',
        'm1\tPapers\tcourier\t\t900\t300\tDock at Vega Registry. (in Vega Prime); Deliver 6 Lamp to Sol. Made by the recipe lamp.\tfuel_cell 5\tIt leads into lawless space.',
      ].join('\n'),
    )
  })

  test('active missions list the progress of each objective', () => {
    const text = renderText(named('get_active_missions'), {
      missions: {
        active: [
          {
            mission_id: 'm1',
            title: 'Dig',
            type: 'mining',
            percent_complete: 70,
            rewards: { credits: 9 },
            expires_in_ticks: 30,
            objectives: [
              { description: 'Dock at Sol.', current: 1, required: 1, completed: true },
              { description: 'Mine 10 Iron.', current: 4, required: 10, completed: false },
            ],
          },
        ],
      },
    })
    expect(text.split('\n').slice(1)).toEqual([
      'id\ttitle\ttype\tpercent\tcredits\texpires_in_ticks\tobjectives',
      'm1\tDig\tmining\t70\t9\t30\tDock at Sol. (done); Mine 10 Iron. (4/10)',
    ])
  })

  test('view_market leaves blanks where nobody bids', () => {
    const row = { item_id: 'iron_ore', item_name: 'Iron', category: 'ore', best_sell: 12 }
    const text = renderText(named('view_market'), {
      base: 'Sol Station',
      items: [
        { ...row, best_buy: 0, best_sell_qty: 40, best_buy_qty: 0 },
        { ...row, item_id: 'ice', best_buy: 10, spread: 2, best_sell_qty: 1, best_buy_qty: 7 },
      ],
    })
    expect(text).toBe(
      [
        'Market summary at Sol Station (2 items):',
        'category\titem_id\titem_name\tbest_sell\tbest_buy\tspread\tsell_qty\tbuy_qty',
        'ore\tiron_ore\tIron\t12cr\t\t\t40\t',
        'ore\tice\tIron\t12cr\t10cr\t2cr\t1\t7',
      ].join('\n'),
    )
  })

  test('empty lists are sentences', () => {
    expect(renderText(named('get_notifications'), { notifications: [], count: 0 })).toBe(
      'No notifications.',
    )
    expect(renderText(named('get_active_missions'), { missions: [] })).toBe('No active missions.')
  })

  test('a login names its session on a line of its own', () => {
    const text = renderText(login, {
      message: 'Welcome back, Ada.',
      player_id: 'p-1',
      session_id: 'ab12cd34',
      player: { username: 'Ada', empire: 'solarian', credits: 5 },
      ship: {},
      system: { name: 'Sol' },
      poi: { name: 'Belt' },
    })
    expect(text).toMatch(/^Session ID: ab12cd34$/m)
    expect(text).toContain('Ada [solarian] | 5cr | Sol')
  })
})

describe('any other result', () => {
  test('has scalars as lines and lists as tables', () => {
    const text = renderText(named('find_route'), {
      action: 'find_route',
      message: 'Two jumps.',
      found: true,
      route: [
        { system_id: 'sol', jumps: 0 },
        { system_id: 'vega', jumps: 1, note: 'a\tb\nc' },
      ],
      fuel: { need: 4 },
      nothing: null,
      missing: undefined,
    })
    expect(text).toBe(
      [
        'Two jumps.',
        'found: true',
        'route (2):',
        'system_id\tjumps\tnote',
        'sol\t0\t',
        'vega\t1\ta b c',
        'fuel:',
        '  need: 4',
      ].join('\n'),
    )
  })

  test('keeps the lines of a text and gives long lists a line each', () => {
    const notes = ['first note, which is long enough', 'second note'].map((note) => note.repeat(6))
    expect(renderText(catalog, { text: 'a\n  b', notes, none: [] })).toBe(
      ['none: none', 'text:', 'a', '  b', 'notes:', ...notes.map((note) => `  - ${note}`)].join(
        '\n',
      ),
    )
    expect(renderText(named('get_guide'), { guide: 'x', content: '# X\n\ny' })).toBe('# X\n\ny')
  })

  test('nests a list one step under its name', () => {
    const text = renderText(catalog, { location: { system_id: 'sol', near: [{ id: 'a' }] } })
    expect(text).toBe('location:\n  system_id: sol\n  near (1):\n  id\n  a')
  })

  test('of a mutation is its details and the gauges that changed', () => {
    const text = renderText(buy, {
      details: { message: 'Bought 2.', item_id: 'iron_ore', action: 'buy' },
      message: 'Bought 2.',
      auto_docked: true,
      ship: { cargo_used: 2, cargo_capacity: 50 },
      location: { docked_at: 'sol_base' },
      cargo: [],
    })
    expect(text).toBe(
      'Bought 2.\nitem_id: iron_ore\nauto_docked: true\nCargo: 2/50\nDocked at: sol_base',
    )
  })

  test('is never empty and never says undefined', () => {
    expect(renderText(catalog, {})).toBe('Done.')
    expect(renderText(getStatus, {})).not.toContain('undefined')
    expect(renderText(login, { message: 'x' })).not.toContain('undefined')
    expect(renderText(catalog, { a: [undefined, null, 1] })).not.toContain('undefined')
  })

  test('spreads an object too long for a cell over columns of its own', () => {
    const contract = Object.fromEntries([...'abcdefghijkl'].map((name) => [name, name.repeat(40)]))
    const text = renderText(catalog, { rows: [{ contract, a: true }] })
    expect(text).not.toContain('…')
    expect(text).toContain('k'.repeat(40))
    expect(text).toContain('\ta\n')
  })

  test('shows at most a hundred rows of a list', () => {
    const rows = Array.from({ length: 150 }, (_, id) => ({ id }))
    expect(renderText(catalog, { rows })).toMatch(
      /rows \(150\):\nid\n0\n[\s\S]*99\n… and 50 more: narrow the request to see them$/,
    )
  })
})

test('a refusal names its code and how long to wait', () => {
  expect(renderError(fail('no_fuel', undefined, 'Refuel.'))).toBe('Error: no_fuel: Refuel.')
  expect(renderError(fail('rate_limited', { wait_seconds: 7 }))).toContain('try again in 7 seconds')
})

test('entries shared by many results are rendered like entries of their own', () => {
  const own = [
    { id: 'a', name: 'tab\tand\nbreak', absent: undefined },
    { id: 'b', name: 'plain', note: 'only here' },
  ]
  const shared = own.map((entry) => shareTexts({ ...entry }))
  // Each set of columns twice: the second time the lines of the entries are already kept.
  for (const count of [1, 2, 1, 2]) {
    const textOf = (rows: readonly object[]) =>
      renderText(named('get_nearby'), { nearby: rows.slice(0, count) })
    expect(textOf(shared)).toBe(textOf(own))
    expect(textOf(shared)).toContain('a\ttab and break')
  }
})
