/** The search box of the bar: a combobox whose list comes from parts/found.ts. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { go } from '../router.ts'
import type { Found } from './found.ts'
import { PickList, pickId, walk } from './pick-list.tsx'

const LIST = 'found'

/**
 * Returns the attributes of a combobox, whose list is drawn below so that it can say what kind of
 * thing each row is.
 */
const combobox = (isOpen: boolean, active: number | undefined) => ({
  role: 'combobox' as const,
  list: undefined,
  'aria-autocomplete': 'list' as const,
  'aria-controls': LIST,
  'aria-expanded': isOpen,
  'aria-activedescendant': active === undefined ? undefined : pickId(LIST, active),
})

let field: HTMLInputElement | null = null
export const focusSearch = (): void => field?.focus()

const renderFound = ({ name, kind }: Found) => (
  <>
    <span class="name">{name}</span>
    <span class="muted">{kind}</span>
  </>
)

export function Search() {
  const input = useRef<HTMLInputElement>(null)
  const found = useSignal<readonly Found[]>([])
  const at = useSignal(0)
  const isOpen = useSignal(false)
  const asked = useRef('')
  const looked = useRef(Promise.resolve())
  useEffect(() => {
    field = input.current
  }, [])
  const look = async (text: string) => {
    asked.current = text
    // Without the server there is nothing to find; the next key asks again.
    const load = import('./found.ts').then(({ find }) => find(text))
    const rows = await load.catch((): readonly Found[] => [])
    if (asked.current !== text) return
    found.value = rows
    at.value = 0
    isOpen.value = text.trim() !== ''
  }
  const startLook = ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
    looked.current = look(currentTarget.value)
  }
  const close = () => {
    isOpen.value = false
  }
  const choose = ({ href }: Found) => {
    go(href)
    close()
    if (input.current) input.current.value = ''
    input.current?.blur()
  }
  /** Chooses of what the whole text finds, not of what its first letters did. */
  const chooseFound = async () => {
    await looked.current
    if (isOpen.value && found.value.length > 0) choose(found.value[at.value])
  }
  const press = (event: KeyboardEvent) => {
    const count = found.value.length
    if (event.key === 'Enter' && asked.current.trim() !== '') void chooseFound()
    else if (event.key === 'Escape') {
      if (!isOpen.value) input.current?.blur()
      close()
    } else if (!walk(event, at, count)) return
    event.preventDefault()
  }
  return (
    <search class="search">
      <input
        ref={input}
        type="search"
        {...combobox(isOpen.value, isOpen.value && found.value.length > 0 ? at.value : undefined)}
        aria-label="Search systems, stations, items and players"
        aria-keyshortcuts="/"
        placeholder="Search"
        autocomplete="off"
        spellcheck={false}
        onInput={startLook}
        onFocus={startLook}
        onBlur={() => setTimeout(close, 150)}
        onKeyDown={press}
      />
      <span class="hint">/</span>
      {isOpen.value && <Results rows={found.value} at={at.value} choose={choose} press={press} />}
    </search>
  )
}

interface ResultsProps {
  readonly rows: readonly Found[]
  readonly at: number
  readonly choose: (row: Found) => void
  readonly press: (event: KeyboardEvent) => void
}

function Results(props: ResultsProps) {
  return (
    <div class="found">
      <PickList id={LIST} label="Found" keyOf={({ href }) => href} {...props}>
        {renderFound}
      </PickList>
      {props.rows.length === 0 && <p class="muted">Nothing by this name</p>}
    </div>
  )
}
