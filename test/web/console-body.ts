/** The commands of the console as the registry has them, for the fixture server. */
import { createRegistry } from '../../core/registry.ts'
import { errorsOf, typeName, v2Commands } from '../../net/command-view.ts'
import { namesOf } from '../../net/names.ts'
import { DOMAINS } from '../../systems/registry.ts'
import type { ConsoleBody } from '../../web/play/console.ts'

let cached: ConsoleBody | undefined

export function consoleBody(): ConsoleBody {
  if (cached) return cached
  const registry = createRegistry(DOMAINS)
  const operations = v2Commands(registry).map(({ def, tool, address, mutation, params }) => ({
    path: `/api/v2/${address}`,
    group: tool,
    summary: def.summary,
    mutation,
    open: def.open === true,
    errors: errorsOf(def),
    about: `/docs/commands/${def.name}`,
    params: params.map(({ name, schema, required }) => {
      const {
        description = '',
        examples,
        enum: values,
      } = schema as {
        description?: string
        examples?: unknown[]
        enum?: string[]
      }
      return { name, type: typeName(schema), required, description, example: examples?.[0], values }
    }),
  }))
  cached = namesOf(registry).value(2, { operations })
  return cached
}
