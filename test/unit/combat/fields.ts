/** Compares payloads with the schemas that document them. */

type Schema = Record<string, unknown>

/** Returns the fields of a value that its schema does not have, and required ones it lacks. */
export function unknownFields(schema: unknown, value: unknown, path = ''): string[] {
  const { properties, items, required } = schema as {
    properties?: Record<string, Schema>
    items?: Schema
    required?: string[]
  }
  if (Array.isArray(value)) {
    return items ? value.flatMap((item, i) => unknownFields(items, item, `${path}/${i}`)) : []
  }
  if (typeof value !== 'object' || value === null || !properties) return []
  const has = Object.keys(value)
  const lacks = (required ?? []).filter((name) => !has.includes(name))
  return [
    ...lacks.map((name) => `${path}/${name} is missing`),
    ...Object.entries(value).flatMap(([name, inner]) =>
      properties[name] === undefined
        ? [`${path}/${name} is unknown`]
        : unknownFields(properties[name], inner, `${path}/${name}`),
    ),
  ]
}
