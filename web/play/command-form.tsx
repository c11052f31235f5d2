/** The form of a command, built from its definition in the registry. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { plural } from '../parts/format.ts'
import { Chip } from '../parts/tabs.tsx'
import { choicesFor } from './choices.ts'
import type { ConsoleOperation, ConsoleParam } from './console.ts'
import { isSecret, valuesOf, widgetOf } from './form.ts'
import { labelOf } from './next.ts'
import {
  closeForm,
  focusForm,
  form,
  formNote,
  type OpenForm,
  operations,
  play,
  sendForm,
  setField,
  stepHistory,
} from './store.ts'

const CHIPS_MAX = 12

export function CommandForm() {
  const { value } = form
  const operation = value && operations.value.get(value.address)
  if (!value || !operation) return null
  return <Form key={value.address} open={value} operation={operation} />
}

interface FormProps {
  readonly open: OpenForm
  readonly operation: ConsoleOperation
}

function Form({ open, operation }: FormProps) {
  const own = useRef<HTMLFormElement>(null)
  // A layout effect, so that the next keystroke already goes to the form.
  useLayoutEffect(() => {
    const first = own.current?.querySelector<HTMLElement>('input, select, textarea, .primary')
    first?.focus()
    own.current?.scrollIntoView({ block: 'nearest' })
  }, [focusForm.value])
  const press = (event: KeyboardEvent) => {
    const isList = (event.target as Element).matches('textarea, select')
    const by = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) sendForm()
    else if (event.key === 'Escape') closeForm()
    else if (by !== 0 && !isList) stepHistory(by)
    else return
    event.preventDefault()
  }
  const needed = operation.params.filter(({ required }) => required)
  const optional = operation.params.filter(({ required }) => !required)
  const hasOptional = optional.some(({ name }) => (open.fields[name] ?? '') !== '')
  // Stays open: emptying a field must not fold away the one that is being edited.
  const isUnfolded = useRef(false)
  isUnfolded.current ||= hasOptional || needed.length === 0
  return (
    <form
      ref={own}
      class="panel command"
      aria-label={labelOf(open.address)}
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault()
        sendForm()
      }}
    >
      <FormHead open={open} operation={operation} />
      {needed.map((param) => (
        <Field key={param.name} open={open} param={param} />
      ))}
      {optional.length > 0 && (
        <details open={isUnfolded.current}>
          <summary>{plural(optional.length, 'optional field')}</summary>
          {optional.map((param) => (
            <Field key={param.name} open={open} param={param} />
          ))}
        </details>
      )}
      <p class="filters">
        <button type="submit" class="primary">
          Send
        </button>
        <span class="muted keys-hint">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd> sends, <kbd>↑</kbd> history
        </span>
        {formNote.value && (
          <span class="bad" role="alert">
            {formNote}
          </span>
        )}
      </p>
    </form>
  )
}

function FormHead({ open, operation }: FormProps) {
  return (
    <>
      <p class="ends">
        <b>{labelOf(open.address)}</b>
        <span class="filters">
          {operation.mutation && <Chip>takes a tick</Chip>}
          <a href={operation.about} target="_blank" rel="noopener">
            <code>{open.address}</code>
          </a>
          <button type="button" onClick={closeForm}>
            Close
          </button>
        </span>
      </p>
      <p class="muted">{operation.summary}</p>
    </>
  )
}

const placeholderOf = ({ example }: ConsoleParam): string => {
  if (example === undefined || example === null) return ''
  return `e.g. ${typeof example === 'string' ? example : JSON.stringify(example)}`
}

interface FieldProps {
  readonly open: OpenForm
  readonly param: ConsoleParam
}

function Field({ open, param }: FieldProps) {
  const { name, description, required } = param
  const id = `field-${name}`
  const fault = open.faults[name]
  const value = open.fields[name] ?? ''
  const choices = choicesFor(play.value, open.address, name).slice(0, CHIPS_MAX)
  return (
    <div class="field">
      <label for={id}>
        {name.replaceAll('_', ' ')}
        {required && <span class="muted"> needed</span>}
      </label>
      <Entry id={id} param={param} value={value} fault={fault} />
      {choices.length > 0 && (
        <div class="filters choices">
          {choices.map((choice) => (
            <button
              key={choice.value}
              type="button"
              class="chip"
              aria-pressed={choice.value === value}
              onClick={() => setField(name, choice.value)}
            >
              {choice.label || choice.value}
            </button>
          ))}
        </div>
      )}
      {fault && (
        <p class="bad" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
      {description && <p class="muted">{description}</p>}
    </div>
  )
}

interface EntryProps {
  readonly id: string
  readonly param: ConsoleParam
  readonly value: string
  readonly fault?: string
}

function Entry({ id, param, value, fault }: EntryProps) {
  const widget = widgetOf(param)
  const shared = {
    id,
    'aria-required': param.required,
    'aria-invalid': fault !== undefined,
    'aria-describedby': fault ? `${id}-fault` : undefined,
    value,
    onInput: (event: { currentTarget: { value: string } }) =>
      setField(param.name, event.currentTarget.value),
  }
  if (widget === 'choice')
    return (
      <select {...shared}>
        <option value="" />
        {valuesOf(param).map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </select>
    )
  const placeholder = placeholderOf(param)
  if (widget === 'json')
    return <textarea {...shared} class="mono" rows={3} placeholder={placeholder || 'JSON'} />
  const typed = { ...shared, placeholder, autocomplete: 'off', spellcheck: false } as const
  if (isSecret(param.name)) return <input {...typed} type="password" />
  return <input {...typed} inputMode={widget === 'number' ? 'numeric' : undefined} />
}
