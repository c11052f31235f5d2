/**
 * Commands that begin with an action: v1 has one with the parameter `action`, v2 an address for
 * each. Both, and what `help` says, are made from one table of actions, each of its own kind.
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
  query,
  type Tool,
} from './command.ts'
import { badFields, type ErrorCode, type Failure, type Outcome, ok } from './errors.ts'
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
  /** Its name on v2, where that is another; false for what v2 has in another action. */
  readonly v2?: string | false
  readonly summary: string
  readonly required?: readonly Name<A>[]
  readonly optional?: readonly Name<A>[]
  /** What calls may look like besides the name alone, for `help`. */
  readonly examples?: readonly Readonly<Record<string, string | number>>[]
  /** Names of parameters on v2, where they are others than the table's. */
  readonly rename?: Renaming<A>
  /** Of a mutation, where they are others than the table's. */
  readonly changes?: MutationDef['changes']
}

/** An action of one of the three kinds; `A` is all that any action of its command may be asked. */
export interface ActionRow<A> extends ActionBase<A> {
  readonly kind: ActionKind
  readonly needs: readonly Need[]
  readonly errors: readonly ErrorCode[]
  readonly result: TSchema
  /** As that of a mutation. */
  judge?(view: WorldView, player: Eid, asked: A): Failure | undefined
  run(world: World, player: Eid, asked: A): Outcome<unknown>
}

/**
 * Makes rows of a table whose actions are asked `A`: holds what `run` answers against `result`, its
 * codes against `errors` and those of the needs. A query is given a world that it cannot write.
 */
export const actionRow =
  <A>() =>
  <K extends ActionKind, R extends TSchema, const E extends ErrorCode, N extends ErrorCode = never>(
    row: ActionBase<A> & {
      readonly kind: K
      readonly needs: readonly Need<N>[]
      readonly errors: readonly E[]
      readonly result: R
      judge?(view: WorldView, player: Eid, asked: A): Failure<NoInfer<E | N>> | undefined
      run(world: K extends 'query' ? WorldView : World, player: Eid, asked: A): Answered<R, E | N>
    },
  ): ActionRow<A> =>
    row as unknown as ActionRow<A>

interface Help {
  readonly description: string
  readonly notes: readonly string[]
  /** What things an action takes, and whom it is about, by the name of the parameter. */
  readonly sources?: Readonly<Record<string, string>>
  readonly targets?: Readonly<Record<string, string | readonly string[]>>
}

interface ActionTable<A> {
  /** On v1. */
  readonly name: string
  readonly tool: Tool
  readonly category: string
  readonly summary: string
  readonly params: Readonly<Record<Name<A>, TSchema>>
  readonly rename?: Renaming<A>
  readonly rows: readonly ActionRow<A>[]
  /** Of actions that do not say. */
  readonly changes: MutationDef['changes']
  /** As that of a mutation. */
  readonly inBattle?: true
  /** The documents call the command of v1 a mutation, whatever its action; it has no immediates. */
  readonly isMutation?: true
  readonly help: Help
  /** What a call lacks that has a code of its own. */
  lacks?(row: ActionRow<A>, asked: A): Failure | undefined
}

const helpSchema = obj({
  ...strings('action', 'command', 'description'),
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

const renderHelp = <A>({ name, rows, help }: ActionTable<A>) => ({
  action: 'help',
  command: name,
  ...help,
  actions: rows.map(({ name: action, summary, required = [], optional: more = [], examples }) => ({
    action,
    description: summary,
    params: [...required, ...more.map((param) => `${param}?`)],
    ...(examples && {
      example: { action, ...examples[0] },
      examples: examples.map((given) => ({ action, ...given })),
    }),
  })),
})

/** Refuses a call without a field that its action cannot do without: invalid_payload. */
export function missingRefusal<A>(
  action: string,
  names: readonly Name<A>[],
  asked: A,
): Failure<'invalid_payload'> | undefined {
  const missing = names.filter((name) => asked[name] === undefined)
  if (missing.length === 0) return undefined
  const fields = missing.map((field) => ({ field, expected: `given for ${action}` }))
  return badFields(...fields)
}

/** What the action named by a call needs: of a mutation asked once its turn has come. */
const needOf = <A>(rows: ReadonlyMap<string, ActionRow<A>>): Need => ({
  name: 'as_the_action_needs',
  errors: [
    ...new Set([...rows.values()].flatMap(({ needs }) => needs.flatMap(({ errors }) => errors))),
  ] as ErrorCode[],
  // of what only looks, or writes without a slot: asked when it runs
  check: () => undefined,
  ensure(world, player, params) {
    const row = rows.get((params as { action: string }).action)
    return row?.kind === 'mutation' ? ensureAll(row.needs, world, player, params) : undefined
  },
})

/** The address of an action on v2. */
function addressOf<A>(table: ActionTable<A>, row: ActionRow<A>, v2: string): CommandDef {
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
  const run = (world: World, player: Eid, asked: object) => row.run(world, player, asked as A)
  if (row.kind === 'query') {
    // a query's row is typed to look only
    return query({
      ...shared,
      run: (view, player, asked) => row.run(view as World, player, asked as A),
    })
  }
  if (row.kind === 'immediate') return immediate({ ...shared, run })
  const judge = (view: WorldView, player: Eid, asked: object) =>
    row.judge?.(view, player, asked as A)
  return mutation({
    ...shared,
    order: 'plain',
    inBattle,
    changes: row.changes ?? changes,
    judge,
    run,
  })
}

/** What of a call can be judged before its needs are seen to. */
function judgeCall<A>(
  table: ActionTable<A>,
  row: ActionRow<A>,
  asked: A,
  { view, player }: { view: WorldView; player: Eid },
): Failure | undefined {
  const lacking = table.lacks?.(row, asked) ?? missingRefusal(row.name, row.required ?? [], asked)
  if (lacking || row.kind !== 'mutation') return lacking
  return row.judge?.(view, player, asked)
}

/** The command of v1. */
function commandOf<A>(table: ActionTable<A>): CommandDef {
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
    // rows are held against their own schemas
    result: Type.Union([...new Set(table.rows.map(({ result }) => result)), helpSchema]) as TSchema,
    needs: [needOf(rows)],
    errors: [...new Set(table.rows.flatMap(({ errors }) => errors))],
  } as const
  const run = (world: World, player: Eid, given: object) => {
    const { action, ...asked } = given as { action: string }
    if (action === 'help') return ok(renderHelp(table))
    const row = rows.get(action)
    assert(row, `${name} has no action ${action}`)
    const refused = judgeCall(table, row, asked as A, { view: world, player })
    if (refused) return refused
    for (const need of row.kind === 'mutation' ? [] : row.needs) {
      const unmet = need.check(world, player)
      if (unmet) return unmet
    }
    return row.run(world, player, asked as A)
  }
  if (table.rows.every(({ kind }) => kind !== 'mutation')) return immediate({ ...shared, run })
  return mutation({
    ...shared,
    order: 'plain',
    changes,
    inBattle,
    readsOnly: isKind('query'),
    ...(!table.isMutation && { isImmediate: isKind('immediate') }),
    judge(view, player, given) {
      const { action, ...asked } = given as { action: string }
      const row = rows.get(action)
      return row && judgeCall(table, row, asked as A, { view, player })
    },
    run,
  })
}

/** The command of v1 and the addresses of v2. */
export const actionCommands = <A>(table: ActionTable<A>): readonly CommandDef[] => [
  commandOf(table),
  ...table.rows.flatMap((row) => {
    const { name, v2 = name } = row
    return v2 === false ? [] : [addressOf(table, row, v2)]
  }),
]
