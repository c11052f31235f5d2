/** Small components that many views use: tabs, chips, meters. */

import type { ComponentChildren } from 'preact'
import { changeQuery, query } from '../router.ts'
import { formatInt } from './format.ts'

export interface Choice {
  readonly value: string
  readonly title: ComponentChildren
}

interface TabsProps {
  readonly label: string
  readonly choices: readonly Choice[]
  readonly value: string
  readonly onChoose: (value: string) => void
}

/** Shows tabs with arrow keys, following the ARIA pattern. */
export function Tabs({ label, choices, value, onChoose }: TabsProps) {
  const i = choices.findIndex((choice) => choice.value === value)
  const step = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (by === 0) return
    event.preventDefault()
    event.stopPropagation()
    const next = (i + by + choices.length) % choices.length
    onChoose(choices[next].value)
    const list = (event.currentTarget as HTMLElement).children
    ;(list[next] as HTMLElement).focus()
  }
  return (
    <div class="tabs" role="tablist" aria-label={label} onKeyDown={step}>
      {choices.map((choice, index) => (
        <button
          key={choice.value}
          type="button"
          role="tab"
          aria-selected={index === i}
          tabIndex={index === i ? 0 : -1}
          onClick={() => onChoose(choice.value)}
        >
          {choice.title}
        </button>
      ))}
    </div>
  )
}

/** Returns the choice that the address names; the first if it names none of them. */
export function choiceIn(choices: readonly Choice[], name: string): string {
  const named = choices.find(({ value }) => value === query.value[name])
  return (named ?? choices[0]).value
}

/**
 * Shows tabs whose choice is in the address under `name`; the first is the default. A page number
 * in the address is that of another tab's list, so it is removed.
 */
export function QueryTabs(props: { name: string; label: string; choices: readonly Choice[] }) {
  const { name, label, choices } = props
  const choose = (value: string) => {
    const chosen = value === choices[0].value ? undefined : value
    changeQuery({ [name]: chosen, page: undefined }, 'push')
  }
  const value = choiceIn(choices, name)
  return <Tabs label={label} choices={choices} value={value} onChoose={choose} />
}

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'plain'

/** Shows a state in a word. */
export function Chip({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return <span class={`chip ${tone}`}>{children}</span>
}

/** Shows a share of a whole as a bar; `label` says of what, to screen readers. */
export function Meter(props: { value: number; max: number; tone?: Tone; label: string }) {
  const { value, max, tone = 'info', label } = props
  const share = max > 0 ? Math.min(1, Math.max(0, value / max)) : 0
  return (
    <span class={`meter ${tone}`} role="img" aria-label={`${label}: ${value} of ${max}`}>
      <span style={{ width: `${share * 100}%` }} />
    </span>
  )
}

/** Returns how good a rest of hull, fuel or the like is: above a half, above a quarter, or less. */
export const toneOfRest = (value: number, max: number): Tone =>
  2 * value > max ? 'good' : 4 * value > max ? 'warn' : 'bad'

/** Shows a share of a whole as a row of a list of facts, with both numbers. */
export function MeterFact(props: { label: string; value: number; max: number; tone: Tone }) {
  const { label, value, max, tone } = props
  return (
    <>
      <dt>{label}</dt>
      <dd class="measure">
        <Meter value={value} max={max} tone={tone} label={label} />
        <span>
          {formatInt(value)} <span class="muted">of {formatInt(max)}</span>
        </span>
      </dd>
    </>
  )
}

/** Shows the colour of a player, a faction or an empire. */
export function Swatch({ color }: { readonly color?: string }) {
  return /^#[0-9a-f]{3,8}$/i.test(color ?? '') ? (
    <span class="swatch" style={{ background: color }} />
  ) : null
}
