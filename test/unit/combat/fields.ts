/** Comparing what is sent with the schema that documents it. */

type Schema = Record<string, unknown>

/** Paths of an object that its schema does not name, and required ones that it lacks. */
export function unknownFields(schema: unknown, value: unknown, at = ''): string[] {
  const { properties, items, required } = schema as {
    properties?: Record<string, Schema>
    items?: Schema
    required?: string[]
  }
  if (Array.isArray(value)) {
    return items ? value.flatMap((one, i) => unknownFields(items, one, `${at}/${i}`)) : []
  }
  if (typeof value !== 'object' || value === null || !properties) return []
  const has = Object.keys(value)
  const lacks = (required ?? []).filter((name) => !has.includes(name))
  return [
    ...lacks.map((name) => `${at}/${name} is missing`),
    ...Object.entries(value).flatMap(([name, inner]) =>
      properties[name] === undefined
        ? [`${at}/${name} is unknown`]
        : unknownFields(properties[name], inner, `${at}/${name}`),
    ),
  ]
}
