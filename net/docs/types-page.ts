/** The page of named types, which results and payloads refer to. */
import Type, { type TSchema } from 'typebox'
import { publicEvents } from '../command-view.ts'
import { GAME_STATE, gameStateSchema } from '../game-state.ts'
import { documentedCommands } from './commands-page.ts'
import { anchorOf, code, type DocsPage, type DocsSources } from './page.ts'
import { type NamedTypes, typeText } from './schema-text.ts'

/** Returns every named type, with those nested in others. */
function namedTypes(sources: DocsSources): ReadonlyMap<string, TSchema> {
  const state = Type.Unsafe({ ...gameStateSchema(sources.registry), $id: GAME_STATE })
  const roots: TSchema[] = [
    state,
    ...documentedCommands(sources).map(({ def }) => def.result),
    ...publicEvents(sources.registry).map(({ fields }) => fields),
  ]
  const found: NamedTypes = new Map([[GAME_STATE, state]])
  const queue = [...roots]
  for (let schema = queue.pop(); schema; schema = queue.pop()) {
    const nested: NamedTypes = new Map()
    typeText(schema, nested)
    for (const [name, type] of nested) {
      if (found.has(name)) continue
      found.set(name, type)
      queue.push(type)
    }
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function typePiece(name: string, schema: TSchema): string {
  const named: NamedTypes = new Map()
  const text = typeText(schema, named)
  const links = [...named.keys()].map((other) => `[${other}](#${anchorOf(other)})`)
  const { description } = schema as { description?: string }
  return [
    `## ${name}`,
    ...(description ? [description] : []),
    `\`\`\`ts\n${text}\n\`\`\``,
    ...(links.length > 0 ? [`Types: ${links.join(', ')}.`] : []),
  ].join('\n\n')
}

export const TYPES_PAGE: DocsPage = {
  name: 'types',
  title: 'Types',
  summary: 'The types that answers and events refer to by name, V2GameState among them.',
  pieces: (sources) => [
    '# Types',
    [
      `Objects that [answers](commands.md) and [events](events.md) refer to by name. ${code('?')} marks a`,
      'field that may be absent; new fields may be added in any release. The same are available as JSON schemas',
      'in the OpenAPI documents.',
    ].join('\n'),
    ...[...namedTypes(sources)].map(([name, schema]) => typePiece(name, schema)),
  ],
}
