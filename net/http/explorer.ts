/**
 * The interactive pages of HTTP v1 and v2: every operation with a form that sends it to this
 * server. Nothing is loaded from other servers, and the operations are embedded in the page,
 * because the OpenAPI files may be fetched only once a minute.
 */
import type { Registry } from '../../core/registry.ts'
import {
  type CommandView,
  errorsOf,
  type ParameterView,
  typeName,
  v1Commands,
  v2Commands,
} from '../command-view.ts'
import { shellPage } from '../docs/shell.ts'
import { namesOf } from '../names.ts'
import type { ApiInfo } from './openapi.ts'

interface PageParam {
  readonly name: string
  readonly type: string
  readonly required: boolean
  readonly description: string
  readonly example: unknown
  /** The allowed values, if they are listed. */
  readonly values: readonly string[]
}

interface PageOperation {
  readonly path: string
  readonly group: string
  readonly summary: string
  readonly mutation: boolean
  readonly open: boolean
  readonly errors: readonly string[]
  readonly params: readonly PageParam[]
  /** Path of its documentation. */
  readonly about: string
}

const baseOf = (version: 1 | 2): string => `/api/v${version}`

/** Returns every operation of a version as the forms need it, with the names of that version. */
export function operationsOf(registry: Registry, version: 1 | 2): readonly PageOperation[] {
  const base = baseOf(version)
  const operations =
    version === 1
      ? v1Commands(registry).map((view) => operationOf(view, base, view.def.category))
      : v2Commands(registry).map((view) => operationOf(view, base, view.tool))
  return namesOf(registry).value(version, operations)
}

/** Returns the page of a version as HTML. */
export function explorerPage(registry: Registry, info: ApiInfo, version: 1 | 2): string {
  const base = baseOf(version)
  const operations = operationsOf(registry, version)
  const data = JSON.stringify({ base, version, operations }).replaceAll('<', '\\u003c')
  return shellPage({
    title: `HTTP API v${version}`,
    path: version === 1 ? '/api/docs' : '/api/v2/docs',
    version: info.version,
    kind: 'explorer',
    script: 'explorer.js',
    html: pageHtml(version, data),
  })
}

const pageHtml = (version: 1 | 2, data: string): string =>
  [
    `<h1>HTTP API v${version}</h1><p class="dim">Make a session, register or log in, then send `,
    'commands. Mutations wait for their tick. For programs there is ',
    `<a href="${version === 1 ? '/api/openapi.json' : '/api/v2/openapi.json'}">OpenAPI</a>.</p>`,
    '<noscript><p>The forms need JavaScript; without it there is <a href="/docs/commands">a page ',
    'for each command</a>, with examples.</p></noscript>',
    '<div class="tools"><input id="find" type="search" placeholder="Find a command" ',
    'aria-label="Find a command" autocomplete="off"><span id="count" class="dim" ',
    'aria-live="polite"></span><span>Session: <code id="session" aria-live="polite"></code></span>',
    '<button id="make" type="button">New session</button>',
    '<button id="forget" type="button">Forget</button></div>',
    '<p id="refusal" role="alert"></p><div id="list"></div>',
    `<script type="application/json" id="data">${data}</script>`,
  ].join('')

function operationOf(view: CommandView, base: string, group: string): PageOperation {
  return {
    path: `${base}/${view.address}`,
    group,
    summary: view.def.summary,
    mutation: view.mutation,
    open: view.def.open === true,
    errors: errorsOf(view.def),
    about: `/docs/commands/${view.def.v1 === false ? view.operationId : view.def.name}`,
    params: view.params.map(paramOf),
  }
}

function paramOf({ name, schema, required }: ParameterView): PageParam {
  const {
    description = '',
    examples = [],
    enum: values = [],
  } = schema as {
    description?: string
    examples?: unknown[]
    enum?: string[]
  }
  const [example = null] = examples
  return { name, type: typeName(schema), required, description, example, values }
}
