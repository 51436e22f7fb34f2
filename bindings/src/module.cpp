// The library module contains the bindings only. A module of your own can add C++ components and systems.
int main() { return 0; }
