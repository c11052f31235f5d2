/** A form for the token of a view that is not public; what is typed stays in memory. */

interface TokenFormProps {
  readonly title: string
  readonly about: string
  /** The name of the field. */
  readonly label: string
  /** What was wrong with the last token; empty: nothing. */
  readonly why: string
  readonly give: (token: string) => void
}

export function TokenForm({ title, about, label, why, give }: TokenFormProps) {
  return (
    <form
      class="panel login"
      onSubmit={(event) => {
        event.preventDefault()
        give(String(new FormData(event.currentTarget).get('token') ?? ''))
      }}
    >
      <h2>{title}</h2>
      <p class="muted">{about}</p>
      {why && (
        <p class="bad" role="alert">
          {why}
        </p>
      )}
      <label class="field">
        <span>{label}</span>
        <input name="token" type="password" required autocomplete="off" />
      </label>
      <button type="submit" class="primary">
        Open
      </button>
    </form>
  )
}
