export default function Page() {
  return <p>my own app</p>;
}
