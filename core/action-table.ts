/**
 * Builds commands with actions: v1 has one command with the parameter `action`, v2 an address for
 * each action. Both, and the answer of `help`, come from one table; each action has its own kind.
 */
import { assert } from './assert.ts'
import {
  type Answered,
  type CommandDef,
  ensureAll,
  immediate,
  type MutationDef,
  mutation,
  type Need,
  needsRefusal,
  query,
  type Tool,
} from './command.ts'
import { type ErrorCode, type Failure, invalidFields, type Outcome, ok } from './errors.ts'
import {
  anyObject,
  choice,
  list,
  obj,
  opt,
  optional,
  strings,
  type TSchema,
  Type,
} from './params.ts'
import type { Eid, World, WorldView } from './types.ts'

type Name<A> = keyof A & string

type ActionKind = 'query' | 'immediate' | 'mutation'

/** Parameters that have another name on v2. */
type Renaming<A> = Readonly<Partial<Record<Name<A>, string>>>

interface ActionBase<A> {
  readonly name: string
  /** Its name on v2, if that differs; false if another action of v2 covers it. */
  readonly v2?: string | false
  readonly summary: string
  readonly required?: readonly Name<A>[]
  readonly optional?: readonly Name<A>[]
  /** Examples of calls, for `help`. */
  readonly examples?: readonly Readonly<Record<string, string | number>>[]
  /** Names of parameters on v2, where they differ from the table's. */
  readonly rename?: Renaming<A>
  /** The sections that a mutation changes, where they differ from the table's. */
  readonly changes?: MutationDef['changes']
}

/** An action of one of the three kinds; `A` has every parameter of any action of its command. */
export interface ActionRow<A> extends ActionBase<A> {
  readonly kind: ActionKind
  readonly needs: readonly Need[]
  readonly errors: readonly ErrorCode[]
  readonly result: TSchema
  /** See `MutationDef.judge`. */
  judge?(view: WorldView, player: Eid, request: A): Failure | undefined
  run(world: World, player: Eid, request: A): Outcome<unknown>
}

/**
 * Types the rows of a table whose actions take `A`: what `run` returns must match `result`, and its
 * codes must be in `errors` or in those of the needs. A query gets a world that it cannot write.
 */
export const actionRow =
  <A>() =>
  <K extends ActionKind, R extends TSchema, const E extends ErrorCode, N extends ErrorCode = never>(
    row: ActionBase<A> & {
      readonly kind: K
      readonly needs: readonly Need<N>[]
      readonly errors: readonly E[]
      readonly result: R
      judge?(view: WorldView, player: Eid, request: A): Failure<NoInfer<E | N>> | undefined
      run(world: K extends 'query' ? WorldView : World, player: Eid, request: A): Answered<R, E | N>
    },
  ): ActionRow<A> =>
    row as unknown as ActionRow<A>

interface Help {
  readonly description: string
  readonly notes: readonly string[]
  /** What may be given as source, and as target, by the name of the parameter. */
  readonly sources?: Readonly<Record<string, string>>
  readonly targets?: Readonly<Record<string, string | readonly string[]>>
}

interface ActionTable<A> {
  /** Name of the command on v1. */
  readonly name: string
  readonly tool: Tool
  readonly category: string
  readonly summary: string
  readonly params: Readonly<Record<Name<A>, TSchema>>
  readonly rename?: Renaming<A>
  readonly rows: readonly ActionRow<A>[]
  /** The sections changed by actions that list none of their own. */
  readonly changes: MutationDef['changes']
  /** See `MutationDef.inBattle`. */
  readonly inBattle?: true
  /** The command of v1 is documented as a mutation whatever its action; it has no immediates. */
  readonly isMutation?: true
  readonly help: Help
  /** Refuses a call that lacks a parameter whose absence has an error code of its own. */
  lacks?(row: ActionRow<A>, request: A): Failure | undefined
}

const helpSchema = obj({
  // `help` is the whole answer as one text, for clients that show only that.
  ...strings('action', 'command', 'description', 'help'),
  actions: list(
    obj({
      ...strings('action', 'description'),
      params: list(Type.String()),
      ...opt({ example: anyObject(), examples: list(anyObject()) }),
    }),
  ),
  ...opt({ sources: anyObject(), targets: anyObject() }),
  notes: list(Type.String()),
})

function renderHelp<A>({ name, rows, help }: ActionTable<A>) {
  const actions = rows.map(({ name: action, summary, required = [], optional = [], examples }) => ({
    action,
    description: summary,
    params: [...required, ...optional.map((param) => `${param}?`)],
    ...(examples && {
      example: { action, ...examples[0] },
      examples: examples.map((example) => ({ action, ...example })),
    }),
  }))
  const lines = actions.map((row) => `${row.action}(${row.params.join(', ')}): ${row.description}`)
  return {
    action: 'help',
    command: name,
    ...help,
    help: [help.description, ...lines, ...help.notes].join('\n'),
    actions,
  }
}

/** Refuses a call without a field that its action requires: invalid_payload. */
export function missingRefusal<A>(
  action: string,
  names: readonly Name<A>[],
  request: A,
): Failure<'invalid_payload'> | undefined {
  const missing = names.filter((name) => request[name] === undefined)
  if (missing.length === 0) return undefined
  const fields = missing.map((field) => ({ field, expected: `given for ${action}` }))
  return invalidFields(...fields)
}

/**
 * Returns a need that stands for the needs of whichever action is called; it is checked when that
 * action runs as a mutation.
 */
const needOf = <A>(rows: ReadonlyMap<string, ActionRow<A>>): Need => ({
  name: 'as_the_action_needs',
  errors: [
    ...new Set([...rows.values()].flatMap(({ needs }) => needs.flatMap(({ errors }) => errors))),
  ] as ErrorCode[],
  // The needs of queries and immediates are checked in `run`.
  check: () => undefined,
  ensure(world, player, params) {
    const row = rows.get((params as { action: string }).action)
    return row?.kind === 'mutation' ? ensureAll(row.needs, world, player, params) : undefined
  },
})

/** Returns the command by which v2 reaches one action. */
function v2CommandOf<A>(table: ActionTable<A>, row: ActionRow<A>, v2: string): CommandDef {
  const { name, summary, result, needs, errors } = row
  const { params, tool, category, changes, inBattle } = table
  const taken = [...(row.required ?? []), ...(row.optional ?? [])]
  const renaming: Readonly<Record<string, string>> = { ...table.rename, ...row.rename }
  const rename = Object.fromEntries(
    Object.entries(renaming).filter(([param]) => taken.includes(param as Name<A>)),
  )
  const shared = {
    name,
    v1: false,
    v1Name: `${table.name} ${name}`,
    v2: { tool, action: v2, rename },
    summary,
    category,
    result,
    needs,
    errors,
    params: obj({
      ...Object.fromEntries((row.required ?? []).map((param) => [param, params[param]])),
      ...Object.fromEntries((row.optional ?? []).map((param) => [param, optional(params[param])])),
    }),
  } as const
  const run = (world: World, player: Eid, request: object) => row.run(world, player, request as A)
  if (row.kind === 'query') {
    // The row of a query is typed so that it only reads.
    return query({
      ...shared,
      run: (view, player, request) => row.run(view as World, player, request as A),
    })
  }
  if (row.kind === 'immediate') return immediate({ ...shared, run })
  const judge = (view: WorldView, player: Eid, request: object) =>
    row.judge?.(view, player, request as A)
  return mutation({
    ...shared,
    order: 'plain',
    inBattle,
    changes: row.changes ?? changes,
    judge,
    run,
  })
}

/** Refuses a call for its arguments alone, before its needs are checked. */
function judgeCall<A>(
  table: ActionTable<A>,
  row: ActionRow<A>,
  request: A,
  { view, player }: { view: WorldView; player: Eid },
): Failure | undefined {
  const lacking =
    table.lacks?.(row, request) ?? missingRefusal(row.name, row.required ?? [], request)
  if (lacking || row.kind !== 'mutation') return lacking
  return row.judge?.(view, player, request)
}

/** Returns the command of v1, with all actions. */
function v1CommandOf<A>(table: ActionTable<A>): CommandDef {
  const { name, summary, category, params, changes, inBattle } = table
  const rows = new Map(table.rows.map((row) => [row.name, row]))
  const isKind =
    (kind: ActionKind) =>
    ({ action }: { action: string }): boolean =>
      (action === 'help' ? 'query' : rows.get(action)?.kind) === kind
  const shared = {
    name,
    summary,
    category,
    params: obj({
      action: choice('What to do.', [...rows.keys(), 'help'] as readonly string[]),
      ...Object.fromEntries(
        Object.entries<TSchema>(params).map(([param, schema]) => [param, optional(schema)]),
      ),
    }),
    // `actionRow` has checked each row against its own schema.
    result: Type.Union([...new Set(table.rows.map(({ result }) => result)), helpSchema]) as TSchema,
    needs: [needOf(rows)],
    errors: [...new Set(table.rows.flatMap(({ errors }) => errors))],
  } as const
  const run = (world: World, player: Eid, call: object) => {
    const { action, ...request } = call as { action: string }
    if (action === 'help') return ok(renderHelp(table))
    const row = rows.get(action)
    assert(row, `${name} has no action ${action}`)
    const refused = judgeCall(table, row, request as A, { view: world, player })
    if (refused) return refused
    // The needs of a mutation have been met by now.
    const unmet = row.kind === 'mutation' ? undefined : needsRefusal(row.needs, world, player)
    return unmet ?? row.run(world, player, request as A)
  }
  if (table.rows.every(({ kind }) => kind !== 'mutation'))
    return immediate({ ...shared, run, readsOnly: isKind('query') })
  return mutation({
    ...shared,
    order: 'plain',
    changes,
    inBattle,
    readsOnly: isKind('query'),
    ...(!table.isMutation && { isImmediate: isKind('immediate') }),
    judge(view, player, call) {
      const { action, ...request } = call as { action: string }
      const row = rows.get(action)
      return row && judgeCall(table, row, request as A, { view, player })
    },
    run,
  })
}

/** Returns the command of v1, then those of v2, one per action. */
export const actionCommands = <A>(table: ActionTable<A>): readonly CommandDef[] => [
  v1CommandOf(table),
  ...table.rows.flatMap((row) => {
    const { name, v2 = name } = row
    return v2 === false ? [] : [v2CommandOf(table, row, v2)]
  }),
]
