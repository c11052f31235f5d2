/**
 * Every text that a player reads: errors, guides, help. It has no command names of the other
 * version, does not refer to details that a text-only client cannot see, leaves no placeholder
 * unfilled, and states its details.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { GUIDES } from '../../core/catalog/guides.ts'
import { sentenceFor } from '../../core/error-entry.ts'
import { ERRORS, type ErrorCode, fail } from '../../core/errors.ts'
import { createRegistry } from '../../core/registry.ts'
import { MARK } from '../../core/say.ts'
import { publicEvents, v1Commands, v2Commands } from '../../net/command-view.ts'
import { helpFor } from '../../net/help.ts'
import { namesOf, type Version } from '../../net/names.ts'
import { renderError } from '../../net/render.ts'
import { DOMAINS } from '../../systems/registry.ts'

const registry = createRegistry(DOMAINS)
const names = namesOf(registry)

/** v1 names that cannot be English words, and that v2 does not use by themselves. */
const ONLY_V1 = v1Commands(registry)
  .map(({ address }) => address)
  .filter((name) => name.includes('_'))
const nameOfV1 = new RegExp(`(?<![\\w/{.])(?:${ONLY_V1.join('|')})(?![\\w}])`)

const marksOf = (text: string): string[] =>
  [...text.matchAll(new RegExp(`${MARK.open}([^${MARK.close}]*)${MARK.close}`, 'g'))].map(
    ([, name]) => name,
  )

/** Lists what is wrong with a text of ours. */
function faultsOf(text: string, placeholder = /[{}\u0080-\u009f]|undefined|\[object/): string[] {
  const faults = marksOf(text)
    .filter((name) => !names.isKnown(name))
    .map((name) => `no command ${name}`)
  const [v1, v2] = ([1, 2] as Version[]).map((version) => names.text(version, text))
  if (/\bdetails?\b/i.test(v1)) faults.push('speaks of details')
  if (placeholder.test(v1 + v2)) faults.push('a placeholder')
  const other = nameOfV1.exec(v2)
  if (other) faults.push(`says ${other[0]} on v2`)
  return faults
}

/** Makes details that fill every gap of a sentence. */
function detailsFor(gaps: readonly { names: readonly string[]; noun: string }[]) {
  const rows = [{ item_id: 'iron_ore', item_name: 'Iron Ore', need: 7, have: 3 }]
  const value = (name: string, noun: string): unknown => {
    if (/^(missing|fields)$/.test(name)) return rows
    if (noun === 'or' || (/s$/.test(name) && noun === '')) return ['alpha', 'beta']
    return noun === '' && !/^(need|have|max|limit)$/.test(name) ? `some-${name}` : 41
  }
  return Object.fromEntries(
    gaps.flatMap(({ names: [name], noun }) => [[name, value(name, noun)] as const]),
  )
}

describe('errors', () => {
  const codes = Object.keys(ERRORS) as ErrorCode[]

  it.each(codes)('%s is a complete sentence with and without its details', (code) => {
    const { message, sentences } = ERRORS[code]
    expect(faultsOf(message, /[<>{}]|undefined/)).toEqual([])
    expect(message).toMatch(/^([A-Z“]|request_id|\u0091).*[.]$/s)
    for (const sentence of sentences) {
      const details = detailsFor(sentence.gaps)
      const filled = sentenceFor({ ...ERRORS[code], sentences: [sentence] }, details)
      expect(filled).not.toBe(message)
      expect(faultsOf(filled, /[<>{}]|undefined/)).toEqual([])
      const nouns = Object.values(details).flatMap((value) =>
        Array.isArray(value)
          ? value.map((row) => (typeof row === 'string' ? row : 'Iron Ore (iron_ore): 3 of 7'))
          : [String(value)],
      )
      for (const noun of nouns) expect(filled).toContain(noun)
    }
  })

  it('holds the phrases that clients look for', () => {
    const textOf = (code: ErrorCode, details?: Record<string, unknown>) =>
      renderError(fail(code, details)).toLowerCase()
    expect(textOf('action_pending')).toContain('action is already pending')
    expect(textOf('action_pending', { pending_command: 'mine' })).toContain('[mine]')
    expect(textOf('combat_interrupt')).toContain('interrupted by battle')
    expect(textOf('no_cargo_space')).toMatch(/cargo.*full/)
    expect(textOf('no_cargo_space')).toContain('cargo_full')
    expect(textOf('already_there')).toContain('you are already in')
    expect(textOf('no_resources')).toContain('no resources')
    expect(textOf('depleted')).toContain('depleted')
    expect(textOf('not_at_asteroid')).toContain('no minable')
    expect(textOf('no_credits')).toContain('insufficient credits')
    expect(textOf('faction_no_credits')).toContain('insufficient credits')
    expect(textOf('ip_timed_out', { wait_seconds: 9 })).toContain('try again in 9 seconds')
    expect(textOf('rate_limited', { wait_seconds: 9 })).toMatch(
      /rate_limited.*try again in 9 seconds/,
    )
  })
})

describe('guides', () => {
  it.each(GUIDES)('$id names existing commands', ({ content, title, description }) => {
    expect(marksOf(content).length).toBeGreaterThan(0)
    // A guide may write objects in braces, so only a single word in braces is a placeholder.
    const placeholder = /\{\w*\}|[\u0080-\u009f]|undefined|\[object/
    expect([content, title, description].flatMap((text) => faultsOf(text, placeholder))).toEqual([])
  })
})

describe('help', () => {
  const textsIn = (views: readonly { def: { summary: string }; params: readonly unknown[] }[]) =>
    views.flatMap(({ def, params }) => [
      def.summary,
      ...params.map((param) => {
        const { schema } = param as { schema: { description?: string } }
        return schema.description ?? ''
      }),
    ])
  it('of commands, parameters and events names existing commands', () => {
    const texts = [
      ...textsIn(v1Commands(registry)),
      ...textsIn(v2Commands(registry)),
      ...publicEvents(registry).map(({ summary }) => summary),
    ]
    expect(texts.length).toBeGreaterThan(900)
    const found = [...new Set(texts)].flatMap((text) =>
      faultsOf(text).map((fault) => `${fault}: ${text}`),
    )
    expect(found).toEqual([])
  })
  it.each([
    ['withdraw_items', 'withdraw_items', 'game_storage/withdraw'],
    ['game_storage/withdraw', 'withdraw_items', 'game_storage/withdraw'],
    ['view_storage', 'view_storage', 'game_storage/view'],
    ['game/mine', 'mine', 'game/mine'],
    ['facility repair', 'facility', 'game_facility/repair'],
    ['game_facility/repair', 'facility', 'game_facility/repair'],
    ['faction_kick', 'faction_kick', 'game_faction/kick'],
  ])('finds %s on both versions', (topic, v1, v2) => {
    for (const [isV2, name] of [
      [false, v1],
      [true, v2],
    ] as const) {
      const found = helpFor(registry, topic, isV2)
      expect(found.ok && found.result.commands.map((command) => command.name)).toEqual([name])
    }
  })
})

describe('sources', () => {
  /** Matches a text in quotes. */
  const QUOTED = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g
  const filesOf = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesOf(path)
      return path.endsWith('.ts') ? [path] : []
    })
  it('write every command name in a sentence in braces', () => {
    const found = [...filesOf('systems'), ...filesOf('core/catalog/guides')].flatMap((path) => {
      const code = readFileSync(path, 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
      return [...code.matchAll(QUOTED)]
        .map(([text]) => text)
        .filter((text) => nameOfV1.test(text) && / \w+ /.test(text) && !/^.\w+:/.test(text))
        .map((text) => `${path}: ${text.slice(0, 100)}`)
    })
    expect(found).toEqual([])
  })
})
