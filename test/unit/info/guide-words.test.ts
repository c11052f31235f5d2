/** Guides name only actions, parameters and ids that exist, and stay short. */
import { expect, test } from 'vitest'
import { LOADOUT_RULES } from '../../../core/catalog/arena-challenges.ts'
import { GUIDES } from '../../../core/catalog/guides.ts'
import {
  CHALLENGES,
  FACILITIES,
  GOODS,
  MISSIONS,
  RECIPES,
  SHIP_CLASSES,
  SKILLS,
} from '../../../core/catalog/index.ts'
import { ERRORS } from '../../../core/errors.ts'
import { createRegistry } from '../../../core/registry.ts'
import { MARK } from '../../../core/say.ts'
import { SERVICES } from '../../../systems/base/state.ts'
import { BOARDING_OUTCOMES } from '../../../systems/boarding/state.ts'
import { WAIT_REASONS } from '../../../systems/prize/state.ts'
import { DOMAINS } from '../../../systems/registry.ts'
import { ICE_FIELD, POI_TYPES } from '../../../systems/travel/state.ts'

const LINES_MAX = 60
const COLUMNS_MAX = 100

const registry = createRegistry(DOMAINS)
const NAMED = new RegExp(`${MARK.open}([a-z_]+)([^${MARK.close}]*)${MARK.close}`, 'g')

interface Shape {
  readonly [key: string]: unknown
  readonly properties?: Readonly<Record<string, Shape>>
}

const paramsOf = (command: string) => registry.commands.get(command)?.params as Shape | undefined

/** Returns the names of properties and the texts of choices in a schema, at any depth. */
function wordsOf(schema: unknown, into: Set<string>): Set<string> {
  if (typeof schema === 'string') return into.add(schema)
  if (typeof schema !== 'object' || schema === null) return into
  for (const [key, value] of Object.entries(schema as Shape)) {
    if (key === 'description') continue
    if (key === 'properties') for (const name of Object.keys(value as object)) into.add(name)
    wordsOf(value, into)
  }
  return into
}

const actionsOf = (command: string): Set<string> =>
  wordsOf(paramsOf(command)?.properties?.action, new Set())

const allActions = new Set([...registry.commands.keys()].flatMap((name) => [...actionsOf(name)]))

/** Returns the actions that a text names, each with the last command named before it. */
function actionsIn(section: string): [string, string][] {
  const mentions: [string, string][] = []
  let command = ''
  const words = new RegExp(
    `${NAMED.source}|\\baction ([a-z_]+(?:,\\s+(?!and\\b|or\\b|a\\b|the\\b)[a-z_]+)*)`,
    'g',
  )
  for (const [, name, rest, actions] of section.matchAll(words)) {
    if (name !== undefined) {
      const marked = /^ ([a-z_]+)/.exec(rest)
      if (marked) mentions.push([name, marked[1]])
      if (paramsOf(name)?.properties?.action) command = name
    } else for (const action of actions.split(/,\s+/)) mentions.push([command, action])
  }
  return mentions
}

const NO_PARAMETER = /^(?:a|an|the|that|its|your|what|one|item)$/

/** A command, its first parameter, and others after a comma or `and`; values may come between. */
const PARAMETERS = new RegExp(
  `${NAMED.source}\\s+with\\s+([a-z_]+)((?:(?:\\s+[a-z0-9_]+)?(?:,|\\s+and)\\s+[a-z_]+)*)`,
  'g',
)

/**
 * Returns the parameters named right after a command: `{craft} with recipe_id, quantity and dry_run
 * true`.
 */
const parametersIn = (text: string): [string, string][] =>
  [...text.matchAll(PARAMETERS)].flatMap(([, command, , first, others]) => {
    const next = [...others.matchAll(/(?:,|\sand)\s+([a-z]+_[a-z_]+)/g)].map(([, word]) => word)
    return [first, ...next]
      .filter((word) => !NO_PARAMETER.test(word))
      .map((word): [string, string] => [command, word])
  })

/** Returns every word with an underscore that means something to a player. */
function vocabulary(): Set<string> {
  const words = new Set<string>(Object.keys(ERRORS))
  for (const def of registry.commands.values()) {
    wordsOf(def.params, words)
    wordsOf(def.result, words)
  }
  for (const [name, def] of registry.events) wordsOf(def, words.add(name))
  for (const rows of [GOODS, RECIPES, SHIP_CLASSES, FACILITIES, SKILLS]) {
    for (const { id } of rows as readonly { id: string }[]) words.add(id)
  }
  for (const { template_id, type } of MISSIONS) words.add(template_id).add(type)
  for (const { id } of CHALLENGES) words.add(id)
  for (const list of [BOARDING_OUTCOMES, WAIT_REASONS, LOADOUT_RULES, POI_TYPES, SERVICES]) {
    for (const word of list) words.add(word)
  }
  // The one word of battle logs that is in no table.
  words.add('boarding_rejected')
  return wordsOf(CHALLENGES, words.add(ICE_FIELD))
}

const known = vocabulary()
const plain = (content: string): string => content.replace(NAMED, '$1$2')

test.each(GUIDES)('$id names only actions that exist', ({ content }) => {
  const mentions = content.split(/^## /m).flatMap(actionsIn)
  const wrong = mentions.filter(([command, action]) =>
    command === '' ? allActions.has(action) : !actionsOf(command).has(action),
  )
  expect(wrong).toEqual([])
})

test.each(GUIDES)('$id names only parameters that exist', ({ content }) => {
  const wrong = parametersIn(content).filter(
    ([command, word]) => paramsOf(command)?.properties?.[word] === undefined,
  )
  expect(wrong).toEqual([])
})

test.each(GUIDES)('$id names only ids, codes and fields that exist', ({ content }) => {
  // Words of drone scripts, quoted or called, are tested with the language of scripts.
  const text = content.replace(NAMED, '').replace(/"\w+"|\b\w+\(/g, '')
  const words = text.match(/\b[a-z0-9]+(?:_[a-z0-9]+)+\b/g) ?? []
  expect(words.filter((word) => !known.has(word))).toEqual([])
})

test.each(GUIDES)('$id is short', ({ content }) => {
  const lines = plain(content).split('\n')
  // Sample programs are not text to be read.
  const samples = lines.indexOf('## Samples')
  const read = samples < 0 ? lines : lines.slice(0, samples)
  expect(read.length).toBeLessThanOrEqual(LINES_MAX)
  expect(lines.filter((line) => line.length > COLUMNS_MAX)).toEqual([])
})

test('guides name enough actions and parameters for these tests to mean something', () => {
  const all = GUIDES.map(({ content }) => content)
  expect(all.flatMap((text) => text.split(/^## /m).flatMap(actionsIn)).length).toBeGreaterThan(30)
  expect(all.flatMap(parametersIn).length).toBeGreaterThan(30)
})
