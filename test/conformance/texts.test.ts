/**
 * Everything a player reads: errors, guides, help. No version reads names of the other, no sentence
 * sends to details that a text-only client does not see, no placeholder is left, and a sentence has
 * the nouns of its details.
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

/** v1 names that no word of English is, and that v2 calls something else. */
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

/** Details that fill every gap of a sentence. */
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

  it.each(codes)('%s reads well, with its details and without', (code) => {
    const { message, sentences } = ERRORS[code]
    expect(faultsOf(message, /[<>{}]|undefined/)).toEqual([])
    expect(message).toMatch(/^([A-Z“]|request_id|\u0091).*[.]$/s)
    for (const sentence of sentences) {
      const details = detailsFor(sentence.gaps)
      const said = sentenceFor({ ...ERRORS[code], sentences: [sentence] }, details)
      expect(said).not.toBe(message)
      expect(faultsOf(said, /[<>{}]|undefined/)).toEqual([])
      const nouns = Object.values(details).flatMap((value) =>
        Array.isArray(value)
          ? value.map((row) => (typeof row === 'string' ? row : 'Iron Ore (iron_ore): 3 of 7'))
          : [String(value)],
      )
      for (const noun of nouns) expect(said).toContain(noun)
    }
  })

  it('holds the phrases that clients look for', () => {
    const said = (code: ErrorCode, details?: Record<string, unknown>) =>
      renderError(fail(code, details)).toLowerCase()
    expect(said('action_pending')).toContain('action is already pending')
    expect(said('action_pending', { pending_command: 'mine' })).toContain('[mine]')
    expect(said('combat_interrupt')).toContain('interrupted by battle')
    expect(said('no_cargo_space')).toMatch(/cargo.*full/)
    expect(said('no_cargo_space')).toContain('cargo_full')
    expect(said('already_there')).toContain('you are already in')
    expect(said('no_resources')).toContain('no resources')
    expect(said('depleted')).toContain('depleted')
    expect(said('not_at_asteroid')).toContain('no minable')
    expect(said('no_credits')).toContain('insufficient credits')
    expect(said('faction_no_credits')).toContain('insufficient credits')
    expect(said('ip_timed_out', { wait_seconds: 9 })).toContain('try again in 9 seconds')
    expect(said('rate_limited', { wait_seconds: 9 })).toMatch(
      /rate_limited.*try again in 9 seconds/,
    )
  })
})

describe('guides', () => {
  it.each(GUIDES)('$id names commands as they are called', ({ content, title, description }) => {
    expect(marksOf(content).length).toBeGreaterThan(0)
    // A guide writes objects in braces: what is left unfilled is a single word in them.
    const placeholder = /\{\w*\}|[\u0080-\u009f]|undefined|\[object/
    expect([content, title, description].flatMap((text) => faultsOf(text, placeholder))).toEqual([])
  })
})

describe('help', () => {
  const said = (views: readonly { def: { summary: string }; params: readonly unknown[] }[]) =>
    views.flatMap(({ def, params }) => [
      def.summary,
      ...params.map((param) => {
        const { schema } = param as { schema: { description?: string } }
        return schema.description ?? ''
      }),
    ])
  it('of commands, parameters and events names commands as they are called', () => {
    const texts = [
      ...said(v1Commands(registry)),
      ...said(v2Commands(registry)),
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
  /** Prose in quotes: at least two words beside the name. */
  const QUOTED = /'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g
  const filesOf = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesOf(path)
      return path.endsWith('.ts') ? [path] : []
    })
  it('write commands in braces, wherever a sentence of the game names one', () => {
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
