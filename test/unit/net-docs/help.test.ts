/** Help by topic, by tool and as text. */
import { describe, expect, test } from 'vitest'
import { helpFor, listCommands, renderHelp, toolHelp } from '../../../net/help.ts'
import { fakeRegistry } from './fake-registry.ts'

const registry = fakeRegistry()

describe('help', () => {
  test('get_commands is flat on v1 and lists tool and action on v2', () => {
    expect(listCommands(registry, false)).toMatchObject({
      commands: [
        { name: 'get_status', is_mutation: false, requires_auth: true },
        {
          name: 'buy',
          format: 'buy(item_id, quantity, note?)',
          is_mutation: true,
          notes: 'Mutation: one per tick. Errors: no_base, no_credits, not_docked.',
        },
        { name: 'catalog', requires_auth: false },
        {},
        {},
        {},
      ],
    })
    expect(listCommands(registry, true)).toMatchObject({
      actions: [
        { tool: 'game', action: 'get_status', endpoint: '/api/v2/game/get_status' },
        { tool: 'game', action: 'buy', description: 'Buys items.', is_mutation: true },
        {},
        {},
        {},
        { tool: 'game_catalog', action: '', endpoint: '/api/v2/game_catalog' },
      ],
    })
  })

  test('a topic is a command, a category or words', () => {
    expect(helpFor(registry, 'buy', false)).toMatchObject({
      ok: true,
      result: {
        topic: 'buy',
        commands: [{ params: [{ name: 'item_id', type: 'string', required: true }, {}, {}] }],
      },
    })
    expect(helpFor(registry, 'trading', false)).toMatchObject({ ok: true })
    // A word that is a command finds it, whatever the other words are.
    expect(helpFor(registry, 'buy ore', true)).toMatchObject({
      ok: true,
      result: { commands: [{ name: 'game/buy' }] },
    })
    expect(helpFor(registry, 'line others', true)).toMatchObject({
      ok: true,
      result: { commands: [{ name: 'game_social/set_status' }] },
    })
    expect(helpFor(registry, 'nothing of the kind', false)).toMatchObject({
      ok: false,
      code: 'topic_not_found',
    })
  })

  test('help of a tool lists its actions under their v2 names and searches other tools', () => {
    expect(toolHelp(registry, 'game', { topic: 'buy' })).toMatchObject({
      result: { commands: [{ format: 'game/buy(id, quantity)' }] },
    })
    expect(toolHelp(registry, 'game', { topic: 'password' })).toMatchObject({
      code: 'topic_not_found',
    })
    expect(toolHelp(registry, 'game', { topic: 'set_status' })).toMatchObject({
      result: { commands: [{ name: 'game_social/set_status' }] },
    })
    expect(toolHelp(registry, 'nonsense', { topic: '' })).toMatchObject({ code: 'unknown_tool' })
  })

  test('help as text has commands on lines that start with two spaces', () => {
    const help = toolHelp(registry, 'game', { topic: '' })
    const text = help.ok ? renderHelp(help.result) : ''
    expect(text).toContain('\n  game/buy(id, quantity) — Buys items.\n')
    expect(text).toContain(
      '\n    id (string, required; or item_id): Item or module id of the catalog.',
    )
  })
})
