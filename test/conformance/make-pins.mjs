#!/usr/bin/env node
// Writes pins.json from the reference contract and the command catalogue of the interface document:
//
//   node test/conformance/make-pins.mjs FOLDER      (with contract.json and spec-commands.json)
//
// The tests need pins.json only. A pin holds the kind, the parameters and the field paths of the response with their
// types, lists as *. Equal shapes are stored once, as a tree: name:type{children}, separated by spaces.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = process.argv[2]
if (!folder) {
  console.error('usage: make-pins.mjs FOLDER')
  process.exit(2)
}
const contract = JSON.parse(readFileSync(join(folder, 'contract.json'), 'utf8'))
const spec = JSON.parse(readFileSync(join(folder, 'spec-commands.json'), 'utf8'))
// Commands of the reference that the interface document no longer has, or that are operations of a live site.
const DROPPED = new Set(['agentlogs', 'session', 'notifications'])
const STATE = '#/schemas/v2b/V2GameState'

const LETTER = { string: 's', number: 'n', integer: 'i', boolean: 'b', object: 'o', array: 'a' }

const follow = (schema) =>
  schema.$ref
    .split('/')
    .slice(1)
    .reduce((part, key) => part?.[key], contract) ?? {}

const typeOf = (schema, depth = 0) => {
  if (!schema || depth > 8) return '?'
  if (schema.$ref) return typeOf(follow(schema), depth + 1)
  const parts = schema.anyOf ?? schema.oneOf ?? schema.allOf
  if (parts) return [...new Set(parts.map((part) => typeOf(part, depth + 1)))].sort().join('|')
  return LETTER[schema.type] ?? (schema.type === 'null' ? '0' : '?')
}

function fields(schema, at = '', out = new Map(), seen = [], depth = 0) {
  if (!schema || typeof schema !== 'object' || depth > 7) return out
  if (schema.$ref)
    return seen.includes(schema.$ref)
      ? out
      : fields(follow(schema), at, out, [...seen, schema.$ref], depth)
  for (const key of ['allOf', 'anyOf', 'oneOf'])
    for (const part of schema[key] ?? []) fields(part, at, out, seen, depth)
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    out.set(`${at}/${name}`, typeOf(part))
    fields(part, `${at}/${name}`, out, seen, depth + 1)
  }
  if (schema.items) fields(schema.items, `${at}/*`, out, seen, depth + 1)
  return out
}

const shapes = []
const known = new Map()
/** Turns paths into a tree of `{ type, parts }`. */
function treeOf(paths) {
  const root = { parts: new Map() }
  for (const [path, type] of paths) {
    let node = root
    for (const step of path.split('/').slice(1)) {
      if (!node.parts.has(step)) node.parts.set(step, { type: '', parts: new Map() })
      node = node.parts.get(step)
    }
    node.type = type
  }
  return root
}

const write = (node) =>
  [...node.parts]
    .map(([name, part]) => {
      const type = part.type === '' ? '' : `:${part.type}`
      return `${name}${type}${part.parts.size > 0 ? `{${write(part)}}` : ''}`
    })
    .join(' ')

/** Returns the index of a shape in `shapes`, to which it adds a new shape. */
function shape(schema) {
  const text = write(treeOf(fields(schema)))
  if (!known.has(text)) known.set(text, shapes.push(text) - 1)
  return known.get(text)
}

const params = (entry) =>
  Object.entries(entry.params ?? {})
    .map(([name, part]) => `${name}${part.required ? '' : '?'}:${LETTER[part.type] ?? '?'}`)
    .join(' ')

function v2Pin(entry) {
  const pin = { mutation: !!entry.mutation, params: params(entry) }
  if (entry.sections) pin.sections = entry.sections
  const { response } = entry
  if (!response) return pin
  if (response.allOf?.[0]?.$ref === STATE)
    return { ...pin, state: 1, details: shape(response.allOf[1].properties.details) }
  return response.$ref === STATE ? { ...pin, state: 1 } : { ...pin, result: shape(response) }
}

const v2 = {}
for (const [address, entry] of Object.entries(contract.v2.actions))
  if (!address.endsWith('/help')) v2[address] = v2Pin(entry)

const v1 = {}
for (const [name, entry] of Object.entries(contract.v1.commands)) {
  if (DROPPED.has(name.replace(/^\//, ''))) continue
  v1[name.replace(/^\//, '')] = {
    mutation: !!entry.mutation,
    params: params(entry),
    ...(entry.result ? { result: shape(entry.result) } : {}),
  }
}

const listed = {}
for (const { command, mutation, params: list } of spec.commands)
  listed[command] = {
    mutation,
    params: list.map(({ name, required }) => `${name}${required ? '' : '?'}`).join(' '),
  }

const state = shape({ $ref: STATE })
const line = (name, table) =>
  `"${name}":{\n${Object.entries(table)
    .map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`)
    .join(',\n')}\n}`
const text = [
  `{"source":"contract to 0.554, interface document 0.599.5","stateShape":${state},`,
  `${line('v2', v2)},`,
  `${line('v1', v1)},`,
  `${line('spec', listed)},`,
  `"shapes":[\n${shapes.map((tree) => JSON.stringify(tree)).join(',\n')}\n]}\n`,
].join('\n')
writeFileSync(new URL('pins.json', import.meta.url), text)
console.log(
  `${Object.keys(v2).length} actions, ${Object.keys(v1).length} commands, ${Object.keys(listed).length} of the document, ${shapes.length} shapes, ${text.length} bytes`,
)
